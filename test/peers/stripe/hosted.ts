import type { Checkout } from './checkout.ts';
import { Refusal } from './refusal.ts';

export type Page = {
  readonly status: number;
  readonly html: string;
  readonly location?: string;
  readonly mediaType?: string;
};

/** The pages Stripe hosts. Posting to a checkout's page pays it and leads to the success URL. */
export function hostedPage(checkout: Checkout, method: string, path: string): Page | undefined {
  const session = path.startsWith('/c/pay/') ? checkout.find(path.slice('/c/pay/'.length)) : undefined;
  if (session && method === 'POST') return paid(checkout, session.id, session.success_url ?? '');
  if (session) {
    return page(
      200,
      `<form method="post"><button>Pay</button></form><a href="${escaped(session.cancel_url ?? '')}">Back</a>`,
    );
  }
  if (/^\/i\/\w+\/pdf$/.test(path))
    return { status: 200, html: `%PDF-1.4\n% ${path}\n%%EOF\n`, mediaType: 'application/pdf' };
  if (path.startsWith('/i/') || path.startsWith('/p/session/')) return page(200, escaped(path));
  return undefined;
}

function paid(checkout: Checkout, id: string, success: string): Page {
  try {
    checkout.pay(id);
  } catch (error) {
    if (error instanceof Refusal) return page(error.status, escaped(error.message));
    throw error;
  }
  return { ...page(303, ''), location: success.replaceAll('{CHECKOUT_SESSION_ID}', id) };
}

function page(status: number, content: string): Page {
  return { status, html: `<!doctype html><title>Stripe</title>${content}` };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
