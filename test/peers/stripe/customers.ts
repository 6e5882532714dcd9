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
  within,
} from './forms.ts';
import type { Customer } from './objects.ts';
import { pageOf } from './pages.ts';
import { refused } from './refusal.ts';
import type { Route } from './routes.ts';
import { need, type World } from './world.ts';

const Address = z.strictObject({
  city: Text.optional(),
  country: Text.optional(),
  line1: Text.optional(),
  line2: Text.optional(),
  postal_code: Text.optional(),
  state: Text.optional(),
});

const Fields = {
  address: z.union([Unset, Address]).optional(),
  description: z.string().optional(),
  email: z.union([Unset, z.string().max(512)]).optional(),
  name: z.string().optional(),
  phone: z.string().optional(),
  preferred_locales: z.array(Text).optional(),
  tax_exempt: z.enum(['', 'exempt', 'none', 'reverse']).optional(),
  validate: Flag.optional(),
};
const Create = z.strictObject({ ...Fields, metadata: z.union([Metadata, z.literal('')]).optional() });
const Update = z.strictObject({ ...Fields, metadata: MetadataChange.optional() });
const List = z.strictObject({ ...Paging, email: Text.optional(), created: Range.optional() });

type Fields = z.infer<typeof Create>;

export type Customers = ReturnType<typeof createCustomers>;

/** Customers. `onDelete` ends what a deleted customer had. */
export function createCustomers(world: World, onDelete: (customerId: string) => void) {
  function create(fields: Fields): Customer {
    const customer: Customer = {
      id: world.id('cus'),
      object: 'customer',
      address: null,
      balance: 0,
      created: world.now(),
      currency: null,
      customer_account: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: null,
      invoice_prefix: world.id('X').slice(-8).toUpperCase(),
      invoice_settings: {
        custom_fields: null,
        default_payment_method: null,
        footer: null,
        rendering_options: null,
      },
      livemode: false,
      metadata: {},
      name: null,
      next_invoice_sequence: 1,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: 'none',
      test_clock: null,
    };
    write(customer, fields);
    world.customers.set(customer.id, customer);
    world.emit('customer.created', customer);
    return customer;
  }

  function update(id: string, fields: Fields): Customer {
    const customer = need(world.customers, 'customer', id);
    return world.change('customer.updated', customer, () => write(customer, fields));
  }

  function remove(id: string): object {
    const customer = need(world.customers, 'customer', id);
    onDelete(id);
    world.customers.delete(id);
    world.deleted.add(id);
    world.emit('customer.deleted', customer);
    return gone(id);
  }

  const routes: Route[] = [
    { method: 'POST', path: '/v1/customers', run: (params) => create(readParams(Create, params)) },
    {
      method: 'GET',
      path: '/v1/customers',
      run: (params) => {
        const { email, created, ...paging } = readParams(List, params);
        const found = [...world.customers.values()].filter(
          (customer) =>
            (email === undefined || customer.email === email) && within(created, customer.created),
        );
        return pageOf('/v1/customers', found, paging);
      },
    },
    {
      method: 'GET',
      path: '/v1/customers/:id',
      run: (params, id) => {
        readParams(z.strictObject({}), params);
        return world.deleted.has(id) ? gone(id) : need(world.customers, 'customer', id);
      },
    },
    {
      method: 'POST',
      path: '/v1/customers/:id',
      run: (params, id) => {
        const fields = readParams(Update, params);
        return update(id, fields);
      },
    },
    { method: 'DELETE', path: '/v1/customers/:id', run: (_params, id) => remove(id) },
  ];
  return { routes, create, update, remove };
}

function gone(id: string): object {
  return { id, object: 'customer', deleted: true };
}

function write(customer: Customer, { address, metadata, ...fields }: Fields): void {
  if (fields.email && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(fields.email)) {
    throw refused(`Invalid email address: ${fields.email}`, 'email', 'email_invalid');
  }
  const { email = customer.email, preferred_locales = customer.preferred_locales } = fields;
  customer.email = email;
  if (preferred_locales) customer.preferred_locales = preferred_locales;
  if (fields.name !== undefined) customer.name = fields.name || null;
  if (fields.description !== undefined) customer.description = fields.description || null;
  if (fields.phone !== undefined) customer.phone = fields.phone || null;
  if (fields.tax_exempt !== undefined) customer.tax_exempt = fields.tax_exempt || 'none';
  if (address === null) customer.address = null;
  if (address) {
    const {
      city = null,
      country = null,
      line1 = null,
      line2 = null,
      postal_code = null,
      state = null,
    } = address;
    customer.address = { city, country, line1, line2, postal_code, state };
  }
  customer.metadata = mergedMetadata(customer.metadata, metadata);
}
