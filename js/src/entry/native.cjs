"use strict";

module.exports = require("./load-addon.cjs").loadApi();
