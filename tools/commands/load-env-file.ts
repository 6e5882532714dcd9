import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Runs before the npm scripts: takes settings from .env. Node's own option for it complains on every start without that file.
if (isMainThread && existsSync('.env')) process.loadEnvFile('.env');
