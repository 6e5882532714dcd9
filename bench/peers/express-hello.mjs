// The least an Express server can do: the ceiling of the machine and of the load generator.
import express from 'express';

const server = express();
server.disable('etag').disable('x-powered-by');
server.get('/hello', (_req, res) => {
  res.json({ hello: 'world' });
});

const http = server.listen(0, '127.0.0.1', () => console.log(`listening http://127.0.0.1:${http.address().port}`));
