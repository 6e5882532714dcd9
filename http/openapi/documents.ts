import { readFile } from 'node:fs/promises';
import { Router } from 'express';
import Handlebars from 'handlebars';
import type { Tool } from '../../tools/contract/define.ts';
import { type JsonSchema, toJsonSchema } from '../../tools/contract/json-schema.ts';
import type { Registry } from '../../tools/contract/registry.ts';
import { openapi } from './openapi.ts';

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The public pages that describe the interface, each made at its first request. */
export function createDocuments(registry: Registry, version: string): Router {
  const router = Router();
  let document: string | undefined;
  let page: Promise<string> | undefined;

  router.get('/openapi.json', (_req, res) => {
    document ??= JSON.stringify(openapi(registry, version));
    res.type('json').send(document);
  });
  router.get('/docs/api', async (_req, res) => {
    page ??= apiPage(registry, version);
    // The page is text and its own style: no script may run in it, whatever a plug-in's description says.
    res.set('Content-Security-Policy', PAGE_POLICY);
    res.type('html').send(await page);
  });
  router.get('/llms.txt', (_req, res) => {
    res.type('text/plain').send(llms(registry));
  });
  return router;
}

async function apiPage({ tools }: Registry, version: string): Promise<string> {
  const view = await readFile(new URL('../../views/api.hbs', import.meta.url), 'utf8');
  return Handlebars.compile(view)({ version, operations: tools.map(describe) });
}

function describe(tool: Tool) {
  const { properties = {}, required = [] } = toJsonSchema(tool.input, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  const fields = Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    type: Array.isArray(schema['enum']) ? schema['enum'].join(' | ') : schema['type'],
    about: schema['description'],
  }));
  const examples = tool.examples.map(({ title, input }) => ({
    title,
    input: JSON.stringify(input, null, 2),
  }));
  return { ...tool, fields, examples };
}

function llms({ tools }: Registry): string {
  const lines = tools.map(
    ({ name, rest, description }) => `- ${name}${rest ? ` (${rest.route})` : ''}: ${description}`,
  );
  const head = [
    '# Stallhand',
    '',
    '> Email templates, videos, hooks and sync over REST and MCP. OpenAPI: /openapi.json',
    '',
    '## Operations',
  ];
  return [...head, ...lines, ''].join('\n');
}
