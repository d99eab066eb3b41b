import { api, install } from "./core-web.mjs";

install(api);
