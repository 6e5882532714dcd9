import { parseArgs } from 'node:util';
import { pushCatalogue } from '../../src/billing/push-plans-to-stripe.ts';
import { readConfig } from '../../src/config.ts';
import { createStripeShelf } from '../../src/providers/stripe/shelf.ts';
import { command, UsageError } from './command.ts';

const USAGE = `Creates the plans, credit packages and their prices in US dollars and euros in Stripe, and the configuration of
the billing portal. Existing ones stay; a changed amount becomes a new price, and existing subscriptions keep the old one. Requires STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.

  npm run billing -- push [--dry-run]`;

await command(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  if (positionals.join(' ') !== 'push') throw new UsageError('The only command is push.');
  const { stripeSecretKey: secretKey, stripeBaseUrl: baseUrl, stripeTaxBehavior: taxBehavior } = readConfig();
  if (!secretKey)
    throw new UsageError('STRIPE_SECRET_KEY is not set. Set it to the secret key of your Stripe account.');
  const dryRun = values['dry-run'];
  const done = await pushCatalogue(createStripeShelf({ secretKey, baseUrl }), { dryRun, taxBehavior });
  if (done.length === 0) return 'Stripe is up to date.';
  return [dryRun ? 'Changes that would be made:' : 'Changes made:', ...done].join('\n');
});
