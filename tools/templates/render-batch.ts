import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import { localizeFault, type Reader } from '../../src/language.ts';
import { type BatchResult, BatchRow, RowId } from '../../src/templates/rendering/batch.ts';
import { LIMITS, TemplateName } from '../../src/templates/schema.ts';
import { type Call, defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';
import { productFiller } from '../contract/fill-products.ts';
import { localizeWarnings } from './output.ts';
import { brandChoice, finishOptions, Rendered, renderOptions, toRenderInput } from './render-template.ts';

const Options = z.object({ template: TemplateName, ...renderOptions, ...brandChoice, ...finishOptions });

const Row = Rendered.partial().extend({
  index: z.number(),
  id: RowId.optional(),
  error: z.object({ code: z.string(), status: z.number(), message: z.string() }).optional(),
});

export const renderBatch = defineTool({
  name: 'render_batch',
  title: 'Render a batch',
  description:
    'Render a template for many rows of data. Returns one result per row; a row that fails reports its error and the others still render. Sends no email. For large batches, send newline-delimited JSON over REST (up to 10,000 rows).',
  keywords: {
    en: [
      'mail merge',
      'personalize for many customers',
      'render a whole list',
      'hundreds of recipients',
      'one for each row',
      'one email for each customer',
      'same email for many people',
    ],
    es: [
      'generar en lote',
      'personalizar para muchos clientes',
      'toda la lista',
      'cientos de destinatarios',
      'uno por fila',
      'un correo para cada cliente',
      'mismo correo para muchas personas',
      'muchos clientes',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'templates:render',
  rest: { route: 'POST /v1/render/batch', lines: { input: Options, run: renderRows } },
  input: Options.extend({ rows: z.array(BatchRow).max(LIMITS.batchRows) }),
  output: z.object({
    items: z.array(Row),
    rows_file: Delivered.optional().meta({
      description: 'Over MCP: all rows as newline-delimited JSON',
    }),
  }),
  mcp: {
    view: ({ items, rows_file }) => ({
      items: items.map(({ html: _html, text: _text, ...row }) => withoutEmpty(row)),
      ...(rows_file && { rows_file: rows_file.url }),
    }),
    next: (_output, say) =>
      `The HTML and text of every row are in rows_file. To read one email here, use ${say('render_template')}.`,
  },
  run: async ({ rows, ...options }, call) => {
    const items = await collect(renderRows(options, toAsync(rows), call));
    // The emails themselves are too long for a model.
    return call.byModel ? { items, rows_file: await call.deliver(linesOf(items)) } : { items };
  },
  examples: [
    {
      title: 'Two emails',
      input: {
        template: 'welcome',
        rows: [
          { id: 'a', data: { name: 'Ana' } },
          { id: 'b', data: { name: 'Bo' } },
        ],
      },
    },
  ],
});

function linesOf(items: readonly object[]) {
  const lines = items.map((item) => `${JSON.stringify(item)}\n`).join('');
  return { bytes: Buffer.from(lines), mediaType: 'application/x-ndjson', filename: 'rows.ndjson' };
}

function withoutEmpty(row: object) {
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(row).filter(([, value]) => !isEmpty(value)));
}

async function* renderRows(options: z.output<typeof Options>, rows: AsyncIterable<unknown>, call: Call) {
  const { signal } = call;
  const input = { ...toRenderInput(options), signal };
  const results = call.app.templates.batch.render(call.caller.accountId, input, withProducts(rows, call));
  for await (const result of results) {
    signal.throwIfAborted();
    yield presentRow(result, call);
  }
}

/** A row whose products cannot be read is its fault. */
async function* withProducts(rows: AsyncIterable<unknown>, call: Call): AsyncGenerator<unknown> {
  const fill = productFiller(call);
  for await (const row of rows) {
    yield await fill(row).catch((error: unknown) => {
      if (error instanceof Fault) return error;
      throw error;
    });
  }
}

function presentRow(result: BatchResult, reader: Reader) {
  if ('rendered' in result) {
    const { rendered, ...row } = result;
    return { ...row, ...localizeWarnings(rendered, reader) };
  }
  const { fault, ...row } = result;
  return {
    ...row,
    error: { code: fault.code, status: fault.status, message: localizeFault(fault, reader).detail },
  };
}

// The newline-delimited form has no such limit, because it holds one row at a time.
const ANSWER_BYTES = 32 * 1024 * 1024;

async function collect<Item extends object>(rows: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  let bytes = 0;
  for await (const row of rows) {
    if ('bytes' in row && typeof row.bytes === 'number') bytes += row.bytes;
    if (bytes > ANSWER_BYTES) throw new Fault('too_large.batch', { limit: ANSWER_BYTES });
    items.push(row);
  }
  return items;
}

async function* toAsync(rows: Iterable<unknown>) {
  yield* rows;
}
