import { parseArgs } from 'node:util';
import { pushCatalogue } from '../../src/billing/push-plans-to-stripe.ts';
import { readConfig } from '../../src/config.ts';
import { createStripeShelf } from '../../src/providers/stripe/shelf.ts';
import { command, UsageError } from './command.ts';

const USAGE = `Brings the plans, credit packages and their prices to Stripe. What is there already stays; a changed amount becomes a
new price, and subscriptions at the old one go on at it. Needs STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.

  npm run billing -- push [--dry-run]`;

await command(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  if (positionals.join(' ') !== 'push') throw new UsageError('Say push.');
  const { stripeSecretKey: secretKey, stripeBaseUrl: baseUrl } = readConfig();
  if (!secretKey) throw new UsageError('STRIPE_SECRET_KEY is not set.');
  const dryRun = values['dry-run'];
  const done = await pushCatalogue(createStripeShelf({ secretKey, baseUrl }), { dryRun });
  if (done.length === 0) return 'Everything is there already.';
  return [dryRun ? 'This would be done:' : 'Done:', ...done].join('\n');
});
