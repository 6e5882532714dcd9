// jsreport with its chrome-pdf recipe and a pool of two browsers, its fastest strategy. argv: file with
// {template, source}, folder for its temporary files, the browser's path.
const { readFileSync } = require('node:fs');
const core = require('@jsreport/jsreport-core');
const chromePdf = require('@jsreport/jsreport-chrome-pdf');
const express = require('@jsreport/jsreport-express');
const handlebars = require('@jsreport/jsreport-handlebars');

const [, , contentFile, tempDirectory, executablePath] = process.argv;
const { template, source } = JSON.parse(readFileSync(contentFile, 'utf8'));

async function start() {
  const jsreport = core({
    hostname: '127.0.0.1',
    httpPort: 0,
    discover: false,
    loadConfig: false,
    tempDirectory,
    store: { provider: 'memory' },
    workers: { numberOfWorkers: 2 },
    chrome: {
      strategy: 'chrome-pool',
      numberOfWorkers: 2,
      launchOptions: { executablePath, args: ['--no-sandbox', '--disable-gpu'] },
    },
  });
  await jsreport.use(handlebars()).use(chromePdf()).use(express()).init();
  const { port } = jsreport.express.server.address();
  await jsreport.documentStore.collection('templates').insert({
    name: template,
    engine: 'handlebars',
    recipe: 'chrome-pdf',
    content: source,
    chrome: { format: 'A4', printBackground: true, marginTop: '0', marginRight: '0', marginBottom: '0', marginLeft: '0' },
  });
  console.log(`listening http://127.0.0.1:${port}`);
  process.once('SIGTERM', () => jsreport.close().finally(() => process.exit()));
}

start().catch((error) => {
  console.error(error);
  process.exit(1);
});
