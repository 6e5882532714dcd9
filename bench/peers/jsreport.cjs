// jsreport with its memory store and two workers. argv: file with {template, source}, folder for its temporary
// files, and `trusted` to leave out its sandbox and profiler.
const { readFileSync } = require('node:fs');
const core = require('@jsreport/jsreport-core');
const express = require('@jsreport/jsreport-express');
const handlebars = require('@jsreport/jsreport-handlebars');

const [, , contentFile, tempDirectory, mode] = process.argv;
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
    ...(mode === 'trusted' && { trustUserCode: true, profiler: { defaultMode: 'disabled' } }),
  });
  await jsreport.use(handlebars()).use(express()).init();
  const { port } = jsreport.express.server.address();
  const content = { name: template, engine: 'handlebars', recipe: 'html', content: source };
  await jsreport.documentStore.collection('templates').insert(content);
  console.log(`listening http://127.0.0.1:${port}`);
  process.once('SIGTERM', () => jsreport.close().finally(() => process.exit()));
}

start().catch((error) => {
  console.error(error);
  process.exit(1);
});
