import type { Shop } from './shop.ts';

type Activation = { readonly inventoryItemId: string; readonly locationId: string };

/** The mutation `inventoryActivate`, without quantities: an item that is stocked there stays as it is. */
export function createActivate(shop: Shop) {
  return {
    inventoryActivate({ inventoryItemId, locationId }: Activation) {
      const item = shop.item(inventoryItemId);
      const isPlace = shop.locations().some(({ id }) => id === locationId);
      if (item && isPlace) {
        shop.activate(item, locationId);
        return { userErrors: [] };
      }
      const [field, what] = item ? ['locationId', 'location'] : ['inventoryItemId', 'inventory item'];
      return { userErrors: [{ field: [field], message: `The ${what} could not be found.` }] };
    },
  };
}
