"""Operations of the family scatter."""
