import { z } from 'zod';
import { InvoiceView } from '../../src/billing/present.ts';
import { defineTool } from '../contract/define.ts';
import { page } from '../contract/page.ts';

export const listInvoices = defineTool({
  name: 'list_invoices',
  title: 'List invoices',
  description: "List the account's invoices, newest first, with links to their pages and PDFs.",
  keywords: {
    en: ['invoices', 'receipts', 'bills', 'payment history', 'bill for taxes'],
    es: ['facturas', 'recibos', 'historial de pagos', 'cobros', 'factura para impuestos'],
  },
  toolset: 'billing',
  effect: 'read',
  scope: 'billing:read',
  rest: { route: 'GET /api/v1/billing/invoices', list: true },
  input: z.object({
    // A page of the payment service holds no more.
    limit: z.int().min(1).max(100).default(50),
    cursor: z.string().max(400).optional(),
  }),
  output: page(InvoiceView),
  run: (request, { app, caller }) => app.billing.invoices(caller.accountId, request),
  examples: [{ title: 'The latest', input: { limit: 10 } }],
});
