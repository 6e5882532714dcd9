// What a person would write instead of a template server: the template compiled once, filled, and answered in the
// same JSON shape. No authentication, no versions, no limits, no log. argv: file with {template, source}.
import { readFileSync } from 'node:fs';
import express from 'express';
import Handlebars from 'handlebars';

const { template, source } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const fill = Handlebars.compile(source);

const server = express();
server.disable('etag').disable('x-powered-by');
server.post('/v1/render', express.json({ limit: '4mb' }), (req, res) => {
  const start = performance.now();
  const html = fill(req.body.data);
  res.json({
    template,
    version: 'v1.0.0',
    environment: 'production',
    html,
    missing_variables: [],
    unused_variables: [],
    defaulted_variables: [],
    warnings: [],
    bytes: Buffer.byteLength(html),
    render_ms: performance.now() - start,
  });
});

const http = server.listen(0, '127.0.0.1', () => console.log(`listening http://127.0.0.1:${http.address().port}`));
