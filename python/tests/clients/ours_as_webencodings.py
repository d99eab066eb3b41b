"""A plugin of pytest: our webencodings in the place of the other."""

import simdtext.compat.webencodings

simdtext.compat.webencodings.install()
