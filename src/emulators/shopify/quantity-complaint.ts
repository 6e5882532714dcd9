const MAX_QUANTITY = 1_000_000_000;

type Numbers = { readonly quantity: number; readonly changeFromQuantity?: number | null };

/** `at`: the field of one quantity that it is about. */
export type Complaint = { readonly code: string | null; readonly message: string; readonly at?: string };

/** What is wrong with the numbers themselves, where there are so many now. */
export function numberComplaint(
  { quantity, changeFromQuantity }: Numbers,
  actual: number,
): Complaint | undefined {
  if (quantity < 0) return NEGATIVE;
  if (quantity > MAX_QUANTITY) return TOO_HIGH;
  if (changeFromQuantity === undefined) return NOT_COMPARED;
  return changeFromQuantity === null || changeFromQuantity === actual ? undefined : STALE;
}

export const UNKNOWN_ITEM: Complaint = {
  code: 'INVALID_INVENTORY_ITEM',
  message: 'The specified inventory item could not be found.',
  at: 'inventoryItemId',
};
export const UNKNOWN_LOCATION: Complaint = {
  code: 'INVALID_LOCATION',
  message: 'The specified location could not be found.',
  at: 'locationId',
};
export const NOT_STOCKED: Complaint = {
  code: 'ITEM_NOT_STOCKED_AT_LOCATION',
  message: 'The specified inventory item is not stocked at the location.',
  at: 'locationId',
};
const NEGATIVE: Complaint = {
  code: 'INVALID_QUANTITY_NEGATIVE',
  message: "The quantity can't be negative.",
  at: 'quantity',
};
const TOO_HIGH: Complaint = {
  code: 'INVALID_QUANTITY_TOO_HIGH',
  message: "The total quantity can't be higher than 1,000,000,000.",
  at: 'quantity',
};
/** The published schema has no code for it. */
const NOT_COMPARED: Complaint = {
  code: null,
  message: 'changeFromQuantity is mandatory: pass null to opt out of the comparison.',
  at: 'changeFromQuantity',
};
const STALE: Complaint = {
  code: 'CHANGE_FROM_QUANTITY_STALE',
  message: 'The changeFromQuantity value does not match persisted value.',
  at: 'changeFromQuantity',
};
export const TWICE: Complaint = {
  code: 'NO_DUPLICATE_INVENTORY_ITEM_ID_GROUP_ID_PAIR',
  message: 'The combination of inventoryItemId and locationId must be unique.',
};
