"use strict";

const { install } = require("./core.cjs");

install(require("./node.cjs"));
