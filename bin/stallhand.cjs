#!/usr/bin/env node
// Runs on any Node, so that one that is too old gets a sentence. A checkout runs its source, the package what was
// compiled of it: Node strips no types below node_modules.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `Stallhand needs Node 24 or newer, and this is Node ${process.versions.node}. Install it from https://nodejs.org and try again.\n`,
  );
  process.exitCode = 1;
} else {
  const places = ['../cli/main.ts', '../dist/cli/main.js'].map((file) => join(__dirname, file));
  void import(pathToFileURL(places.find((file) => existsSync(file))).href);
}
