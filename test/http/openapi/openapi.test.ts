import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openapi } from '../../../http/openapi/openapi.ts';
import { productRegistry } from '../../../tools/index.ts';

const document = openapi(productRegistry(), '1.2.3');

test('every reference of the OpenAPI document leads somewhere within it', () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  expect(text.match(/"\$ref":/g)).toHaveLength(references.length);
  expect([...new Set(references)].filter((name) => !(String(name) in document.components.schemas))).toEqual(
    [],
  );
});

test('every example of the OpenAPI document fits its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'openapi', components: document.components });
  const faults = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      // The document's type leaves operations open.
      const { requestBody } = operation as { requestBody?: { content: { 'application/json': Body } } };
      const { schema, examples = {} } = requestBody?.content['application/json'] ?? { schema: true };
      const rooted = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
      const fits = ajv.compile(rooted);
      return Object.entries(examples).flatMap(([title, { value }]) =>
        fits(value) ? [] : [`${method} ${path} ${title}: ${ajv.errorsText(fits.errors)}`],
      );
    }),
  );
  expect(faults).toEqual([]);
});

type Body = { schema: object | boolean; examples?: Record<string, { value: unknown }> };
