import type { Tool } from '../contract/define.ts';
import { buyCredits } from './buy-credits.ts';
import { changePlan } from './change-plan.ts';
import { createCheckoutSession } from './create-checkout-session.ts';
import { createSyncCheckout } from './create-sync-checkout.ts';
import { getBillingSummary } from './get-billing-summary.ts';
import { listCreditPackages } from './list-credit-packages.ts';
import { listInvoices } from './list-invoices.ts';
import { listPricingPlans } from './list-pricing-plans.ts';
import { openBillingPortal } from './open-billing-portal.ts';
import { openSyncPortal } from './open-sync-portal.ts';

/** The operations of billing, in the order of the documents. */
export const billingTools: readonly Tool[] = [
  listPricingPlans,
  listCreditPackages,
  getBillingSummary,
  listInvoices,
  createCheckoutSession,
  changePlan,
  buyCredits,
  openBillingPortal,
  createSyncCheckout,
  openSyncPortal,
];
