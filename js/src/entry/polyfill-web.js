import * as api from "./web.js";

import { install } from "../polyfill.js";

install(api);
