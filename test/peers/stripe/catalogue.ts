import { z } from 'zod';
import {
  Flag,
  Metadata,
  MetadataChange,
  mergedMetadata,
  Paging,
  Range,
  readParams,
  Text,
  Unset,
  Url,
  within,
} from './forms.ts';
import type { Product } from './objects.ts';
import { pageOf } from './pages.ts';
import { createPrices } from './prices.ts';
import { refused } from './refusal.ts';
import type { Route } from './routes.ts';
import { need, type World } from './world.ts';

const Fields = {
  active: Flag.optional(),
  images: z.union([z.literal('').transform(() => []), z.array(Url).max(8)]).optional(),
  marketing_features: z
    .union([z.literal('').transform(() => []), z.array(z.strictObject({ name: Text })).max(15)])
    .optional(),
  statement_descriptor: Text.max(22).optional(),
  tax_code: z.union([Unset, Text]).optional(),
  unit_label: z.union([Unset, Text.max(12)]).optional(),
  url: z.union([Unset, Url]).optional(),
  description: z.union([Unset, Text]).optional(),
};
export const ProductCreate = z.strictObject({
  ...Fields,
  id: Text.optional(),
  name: Text,
  metadata: Metadata.optional(),
});
const Update = z.strictObject({
  ...Fields,
  name: Text.optional(),
  metadata: MetadataChange.optional(),
  default_price: Text.optional(),
});
const List = z.strictObject({
  ...Paging,
  active: Flag.optional(),
  created: Range.optional(),
  ids: z.array(Text).optional(),
  url: Text.optional(),
});

export type Catalogue = ReturnType<typeof createCatalogue>;

/** Products and their prices. */
export function createCatalogue(world: World) {
  const prices = createPrices(world, create);

  function create(fields: z.infer<typeof ProductCreate>): Product {
    const id = fields.id ?? world.id('prod');
    if (world.products.has(id)) {
      throw refused('Product already exists.', 'id', 'resource_already_exists');
    }
    const product: Product = {
      id,
      object: 'product',
      active: true,
      created: world.now(),
      default_price: null,
      description: null,
      images: [],
      livemode: false,
      marketing_features: [],
      metadata: {},
      name: fields.name,
      package_dimensions: null,
      shippable: null,
      statement_descriptor: null,
      tax_code: null,
      tax_details: null,
      type: 'service',
      unit_label: null,
      updated: world.now(),
      url: null,
    };
    write(product, fields);
    world.products.set(id, product);
    world.emit('product.created', product);
    return product;
  }

  function update(id: string, fields: z.infer<typeof Update>): Product {
    const product = need(world.products, 'product', id);
    if (fields.default_price) need(world.prices, 'price', fields.default_price, 'default_price');
    return world.change('product.updated', product, () => {
      write(product, fields);
      product.updated = world.now();
    });
  }

  const routes: Route[] = [
    { method: 'POST', path: '/v1/products', run: (params) => create(readParams(ProductCreate, params)) },
    {
      method: 'GET',
      path: '/v1/products',
      run: (params) => {
        const { active, created, ids, url, ...paging } = readParams(List, params);
        const found = [...world.products.values()].filter(
          (product) =>
            (active === undefined || product.active === active) &&
            (ids === undefined || ids.includes(product.id)) &&
            (url === undefined || product.url === url) &&
            within(created, product.created),
        );
        return pageOf('/v1/products', found, paging);
      },
    },
    { method: 'GET', path: '/v1/products/:id', run: (_params, id) => need(world.products, 'product', id) },
    {
      method: 'POST',
      path: '/v1/products/:id',
      run: (params, id) => update(id, readParams(Update, params)),
    },
    {
      method: 'DELETE',
      path: '/v1/products/:id',
      run: (_params, id) => {
        const product = need(world.products, 'product', id);
        if ([...world.prices.values()].some((price) => price.product === id)) {
          throw refused('This product cannot be deleted because it has one or more user-created prices.');
        }
        world.products.delete(id);
        world.emit('product.deleted', product);
        return { id, object: 'product', deleted: true };
      },
    },
    ...prices.routes,
  ];
  return {
    routes,
    createPrice: prices.create,
    archive: (id: string) => update(id, { active: false }),
  };
}

function write(
  product: Product,
  {
    id: _id,
    metadata,
    ...fields
  }: z.infer<typeof ProductCreate> | (z.infer<typeof Update> & { id?: string }),
): void {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  Object.assign(product, Object.fromEntries(given));
  product.metadata = mergedMetadata(product.metadata, metadata);
}
