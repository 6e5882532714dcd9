import type { Call } from './access.ts';
import type { UserError } from './faults.ts';
import { refuseLong, userError } from './faults.ts';
import type { Shop } from './shop.ts';

const MAX_QUANTITY = 1_000_000_000;

type Numbers = { readonly quantity: number; readonly changeFromQuantity?: number | null };

/** `at`: the field of one quantity that it is about. */
type InputFault = { readonly code: string | null; readonly message: string; readonly at?: string };

/** What is wrong with the numbers themselves, where there are so many now. */
function numberFault({ quantity, changeFromQuantity }: Numbers, actual: number): InputFault | undefined {
  if (quantity < 0) return NEGATIVE;
  if (quantity > MAX_QUANTITY) return TOO_HIGH;
  if (changeFromQuantity === undefined) return NOT_COMPARED;
  return changeFromQuantity === null || changeFromQuantity === actual ? undefined : STALE;
}

const UNKNOWN_ITEM: InputFault = {
  code: 'INVALID_INVENTORY_ITEM',
  message: 'The specified inventory item could not be found.',
  at: 'inventoryItemId',
};
const UNKNOWN_LOCATION: InputFault = {
  code: 'INVALID_LOCATION',
  message: 'The specified location could not be found.',
  at: 'locationId',
};
const NOT_STOCKED: InputFault = {
  code: 'ITEM_NOT_STOCKED_AT_LOCATION',
  message: 'The specified inventory item is not stocked at the location.',
  at: 'locationId',
};
const NEGATIVE: InputFault = {
  code: 'INVALID_QUANTITY_NEGATIVE',
  message: "The quantity can't be negative.",
  at: 'quantity',
};
const TOO_HIGH: InputFault = {
  code: 'INVALID_QUANTITY_TOO_HIGH',
  message: "The total quantity can't be higher than 1,000,000,000.",
  at: 'quantity',
};
/** The published schema has no code for it. */
const NOT_COMPARED: InputFault = {
  code: null,
  message: 'changeFromQuantity is mandatory: pass null to opt out of the comparison.',
  at: 'changeFromQuantity',
};
const STALE: InputFault = {
  code: 'CHANGE_FROM_QUANTITY_STALE',
  message: 'The changeFromQuantity value does not match persisted value.',
  at: 'changeFromQuantity',
};
const TWICE: InputFault = {
  code: 'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR',
  message: 'The combination of inventoryItemId and locationId must be unique.',
};

const MAX_QUANTITIES = 250;

const REASONS = [
  'correction',
  'cycle_count_available',
  'damaged',
  'movement_canceled',
  'movement_created',
  'movement_received',
  'movement_updated',
  'other',
  'promotion',
  'quality_control',
  'received',
  'reservation_created',
  'reservation_deleted',
  'reservation_updated',
  'restock',
  'safety_stock',
  'shrinkage',
];

/** `gid://app/Type/id`, or any other scheme with something behind it. */
const REFERENCE = /^(gid:\/\/[^/]+\/[^/]+\/[^/]+|(?!gid:)[a-z][a-z0-9+.-]*:\/\/.+)$/i;

/** From this version on a quantity may be set where the item is not stocked; before, that was refused. */
const UNSTOCKED_IS_SET_FROM = '2026-10';

type Quantity = {
  readonly inventoryItemId: string;
  readonly locationId: string;
  readonly quantity: number;
  /** Has to be there; null sets whatever it was. */
  readonly changeFromQuantity?: number | null;
};
type SetQuantitiesInput = {
  readonly name: string;
  readonly reason: string;
  readonly referenceDocumentUri?: string | null;
  readonly quantities: readonly Quantity[];
};

/** The mutation `inventorySetQuantities`: all of them are set, or none. */
export function createSetQuantities(shop: Shop) {
  let groups = 0;

  function errorsOf(input: SetQuantitiesInput, version: string): readonly UserError[] {
    const seen = new Set<string>();
    return [
      ...headErrors(input),
      ...input.quantities.flatMap((quantity, index) => {
        const pair = `${quantity.inventoryItemId} ${quantity.locationId}`;
        const isTwice = seen.has(pair);
        seen.add(pair);
        const error = isTwice ? TWICE : errorOf(quantity, version);
        if (!error) return [];
        const { at, ...said } = error;
        return [{ ...said, field: ['input', 'quantities', String(index), ...(at ? [at] : [])] }];
      }),
    ];
  }

  function errorOf(asked: Quantity, version: string): InputFault | undefined {
    const item = shop.item(asked.inventoryItemId);
    if (!item) return UNKNOWN_ITEM;
    if (!shop.locations().some(({ id }) => id === asked.locationId)) return UNKNOWN_LOCATION;
    const level = item.levels[asked.locationId];
    if (!level?.isStocked && version < UNSTOCKED_IS_SET_FROM) return NOT_STOCKED;
    return numberFault(asked, level?.available ?? 0);
  }

  return {
    inventorySetQuantities({ input }: { readonly input: SetQuantitiesInput }, { version }: Call) {
      refuseLong(input.quantities, MAX_QUANTITIES);
      const userErrors = errorsOf(input, version);
      if (userErrors.length > 0) return { inventoryAdjustmentGroup: null, userErrors };
      for (const { inventoryItemId, locationId, quantity } of input.quantities) {
        const item = shop.item(inventoryItemId);
        if (item) shop.setLevel(item, locationId, quantity);
      }
      groups += 1;
      const group = { id: `gid://shopify/InventoryAdjustmentGroup/${groups}`, reason: input.reason };
      return { inventoryAdjustmentGroup: group, userErrors };
    },
  };
}

function headErrors({ name, reason, referenceDocumentUri }: SetQuantitiesInput): readonly UserError[] {
  const errors: UserError[] = [];
  if (name !== 'available' && name !== 'on_hand') {
    const message = "The quantity name must be either 'available' or 'on_hand'.";
    errors.push(userError(['input', 'name'], 'INVALID_NAME', message));
  }
  if (!REASONS.includes(reason)) {
    errors.push(userError(['input', 'reason'], 'INVALID_REASON', 'The specified reason is invalid.'));
  }
  if (referenceDocumentUri && !REFERENCE.test(referenceDocumentUri)) {
    const message = 'The specified reference document is invalid.';
    errors.push(userError(['input', 'referenceDocumentUri'], 'INVALID_REFERENCE_DOCUMENT', message));
  }
  return errors;
}
