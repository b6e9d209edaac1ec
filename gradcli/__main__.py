"""``python -m gradcli``: the same command as the console script."""

import sys

from gradcli.cli.main import main

sys.exit(main())
