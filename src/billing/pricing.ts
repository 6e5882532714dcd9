import { Fault } from '../errors.ts';
import type { BilledApp } from '../plans.ts';
import { CREDIT_CATALOGUE, CURRENCIES, creditsLookupKey, PLAN_CATALOGUE } from './catalog.ts';
import { INTERVALS, type Interval, type Offer, type PaymentService } from './payment-service.ts';

export type PlanOffer = Offer & { kind: 'plan' };
export type CreditOffer = Offer & { kind: 'credits' };

/** A lower-case code; unless it is required, what is not sold in it is sold in another. */
export type Currency = { readonly code: string; readonly required: boolean };

/** What is on sale. */
export type Pricing = {
  /** From the payment service, kept for five minutes; from the catalogue where there is none. */
  offers(): Promise<readonly Offer[]>;
  /** @throws Fault validation_failed.plan naming the plans there are, validation_failed.currency */
  plan(app: BilledApp, plan: string, interval: Interval, currency: Currency): Promise<PlanOffer>;
  /** @throws Fault validation_failed.price */
  price(priceId: string): Promise<PlanOffer>;
  /** By the id that list_credit_packages shows. @throws Fault validation_failed.credit_package, validation_failed.currency */
  credits(packageId: string, currency: Currency): Promise<CreditOffer>;
  /** Drops the cached offers after a change. */
  invalidate(): void;
};

const CACHE_TTL_MS = 5 * 60_000;

type PricingDeps = { readonly payments: PaymentService | undefined; readonly now?: () => number };

export function createPricing({ payments, now = Date.now }: PricingDeps): Pricing {
  let kept: { readonly offers: Promise<readonly Offer[]>; readonly until: number } | undefined;

  async function offers(): Promise<readonly Offer[]> {
    if (!payments) return CATALOGUE_OFFERS;
    if (kept && kept.until > now()) return kept.offers;
    const asked = { offers: payments.offers(), until: now() + CACHE_TTL_MS };
    kept = asked;
    // A failure is not kept.
    asked.offers.catch(() => {
      if (kept === asked) kept = undefined;
    });
    return asked.offers;
  }

  return {
    offers,

    async plan(app, plan, interval, currency) {
      const sold = (await offers()).filter(isPlan).filter((offer) => offer.app === app);
      const matching = sold.filter(
        (offer) => offer.plan === plan && offer.interval === interval && offer.intervalCount === 1,
      );
      const found = preferred(matching, currency);
      if (found) return found;
      const others = sold
        .filter(({ intervalCount }) => intervalCount === 1)
        .sort((a, b) => a.amount - b.amount);
      const known = listed(others.map((offer) => `${offer.plan} (${offer.interval})`));
      throw faultAt('plan', 'validation_failed.plan', { plan, interval, known });
    },

    async price(priceId) {
      const found = (await offers()).filter(isPlan).find((offer) => offer.priceId === priceId);
      if (!found) throw faultAt('price_id', 'validation_failed.price', { price: priceId });
      return found;
    },

    async credits(packageId, currency) {
      const sold = (await offers()).filter(isCredits);
      const matching = sold.filter((offer) => creditsLookupKey(offer.credits) === packageId);
      const found = preferred(matching, currency);
      if (found) return found;
      const sizes = sold.map(({ credits }) => credits).sort((a, b) => a - b);
      const known = listed(sizes.map(creditsLookupKey));
      throw faultAt('package_id', 'validation_failed.credit_package', { id: packageId, known });
    },

    invalidate() {
      kept = undefined;
    },
  };
}

export function isPlan(offer: Offer): offer is PlanOffer {
  return offer.kind === 'plan';
}

export function isCredits(offer: Offer): offer is CreditOffer {
  return offer.kind === 'credits';
}

/** @throws Fault validation_failed.currency when it is sold only in others */
function preferred<One extends Offer>(offers: readonly One[], { code, required }: Currency): One | undefined {
  const found = offers.find(({ currency }) => currency === code);
  if (found || !required || offers.length === 0) return found ?? offers[0];
  const known = listed(offers.map(({ currency }) => currency.toUpperCase()).sort());
  throw faultAt('currency', 'validation_failed.currency', { currency: code.toUpperCase(), known });
}

/** Each once; a dash where nothing is on sale. */
function listed(names: readonly string[]): string {
  return [...new Set(names)].join(', ') || '–';
}

type PricingKey =
  | 'validation_failed.plan'
  | 'validation_failed.price'
  | 'validation_failed.credit_package'
  | 'validation_failed.currency';

function faultAt(field: string, key: PricingKey, params: Record<string, string>): Fault {
  return new Fault(key, params, { errors: [{ loc: ['body', field], key, params }] });
}

/** The catalogue as it is shown where nothing can be bought. */
const CATALOGUE_OFFERS: readonly Offer[] = CURRENCIES.flatMap((currency): Offer[] => [
  ...PLAN_CATALOGUE.flatMap(({ app, plan, popular, prices, en, es }) =>
    INTERVALS.flatMap((interval): Offer[] => {
      const amount = prices[interval];
      if (amount === undefined) return [];
      const base = { priceId: '', app, amount, currency, popular, ...en, spanish: es };
      return [{ ...base, kind: 'plan', plan, interval, intervalCount: 1 }];
    }),
  ),
  ...CREDIT_CATALOGUE.map(({ credits, amount }): Offer => {
    const base = { priceId: '', app: 'hooks', amount, currency, popular: false } as const;
    return { ...base, kind: 'credits', credits, name: `${credits} hooks`, description: '', features: [] };
  }),
]);
