import { DEMO_TOKEN, type DemoService } from '../../sync/demo/demo.ts';
import type { ProductSeed, ShopSeed, VariantSeed, Weight } from './records.ts';
import { createShopifyEmulator } from './shopify.ts';

type Snapshot = Parameters<ReturnType<typeof createShopifyEmulator>['restore']>[0];

/**
 * The demo store as it was left, or new. `state` is a snapshot of one. It keeps the names of its own pictures: the addresses
 * that `addressOf` has for them are those of the server as it is now.
 */
export function createDemoShop(
  state: unknown,
  addressOf: (picture: string) => string | undefined,
): DemoService {
  const shop = createShopifyEmulator({
    shop: DEMO_SHOP,
    token: DEMO_TOKEN,
    bulkMs: 0,
    media: {
      copyOf: copyAddress,
      addressOf: (kept) => (kept.startsWith(OWN) ? (addressOf(kept.slice(OWN.length)) ?? kept) : kept),
    },
  });
  // Written by `snapshot` below, so it needs no second look.
  const restore = (left: unknown) => shop.restore(withPictures(left as Snapshot));
  if (state !== undefined) restore(state);
  return {
    fetch: shop.fetch,
    snapshot: shop.snapshot,
    restore,
    setStock(sku, stock) {
      if (!shop.variants().some((variant) => variant.sku === sku)) return false;
      shop.setQuantity(sku, stock);
      return true;
    },
  };
}

/** Shops that were saved before they had pictures get them. */
function withPictures(left: Snapshot): Snapshot {
  const pictured = left.products.map((product) => {
    const picture = PICTURES[product.title];
    return picture && !product.image && !product.media ? { ...product, image: `${OWN}${picture}` } : product;
  });
  return { ...left, products: pictured };
}

/** Of the name of one of its own pictures. */
const OWN = 'demo:';

/** It has no place for copies, so each is where the original is: at an address that tells which copy it is. */
function copyAddress(filename: string, source: string): string {
  const address = new URL(source);
  address.searchParams.set('copy', filename);
  return address.href;
}

/** SKU, price, pieces in stock, grams; null pieces: it is not kept in stock. */
type Row = readonly [sku: string, price: string, available: number | null, grams: number];

const SHELVES: Readonly<Record<string, readonly Row[]>> = {
  'Stoneware mug': [
    ['MUG-SAND', '16.50', 34, 380],
    ['MUG-SEA', '16.50', 21, 380],
    ['MUG-COAL', '16.50', 8, 380],
  ],
  'Espresso cup, set of two': [
    ['CUP2-SAND', '22.00', 15, 310],
    ['CUP2-SEA', '22.00', 0, 310],
  ],
  'Breakfast bowl': [
    ['BOWL-S', '14.00', 40, 420],
    ['BOWL-L', '19.00', 26, 690],
  ],
  'Dinner plate': [
    ['PLATE-SAND', '21.00', 48, 850],
    ['PLATE-SEA', '21.00', 27, 850],
    ['PLATE-COAL', '21.00', 36, 850],
  ],
  'Teapot with bamboo handle': [
    ['POT-06', '46.00', 9, 920],
    ['POT-10', '58.00', 5, 1250],
  ],
  'Olive wood board': [
    ['BOARD-S', '24.00', 18, 540],
    ['BOARD-M', '32.00', 14, 900],
    ['BOARD-L', '45.00', 6, 1480],
  ],
  'Linen tea towel': [
    ['TOWEL-NAT', '11.90', 60, 95],
    ['TOWEL-BLUE', '11.90', 44, 95],
    ['TOWEL-RUST', '11.90', 12, 95],
  ],
  'Linen apron': [
    ['APRON-NAT', '39.00', 11, 260],
    ['APRON-BLUE', '39.00', 7, 260],
  ],
  'Beeswax candle': [
    ['WAX-10', '7.50', 75, 110],
    ['WAX-15', '9.90', 52, 180],
    ['WAX-20', '12.50', 31, 260],
  ],
  'Soy candle in a jar': [
    ['SOY-FIG', '18.00', 22, 420],
    ['SOY-PINE', '18.00', 19, 420],
    ['SOY-RAIN', '18.00', 3, 420],
  ],
  'Olive oil soap': [
    ['SOAP-PLAIN', '5.20', 120, 100],
    ['SOAP-LAV', '5.90', 84, 100],
    ['SOAP-MINT', '5.90', 67, 100],
  ],
  'Café of the house, whole beans': [
    ['BEAN-250', '9.40', 56, 250],
    ['BEAN-1000', '31.00', 23, 1000],
  ],
  'Green tea, loose': [
    ['TEA-GR-50', '6.80', 41, 50],
    ['TEA-GR-100', '11.80', 28, 100],
  ],
  'Rooibos, loose': [
    ['TEA-RO-50', '5.60', 39, 50],
    ['TEA-RO-100', '9.80', 0, 100],
  ],
  'Orange blossom honey': [
    ['HONEY-250', '6.40', 47, 250],
    ['HONEY-500', '10.90', 33, 500],
    ['HONEY-1000', '18.50', 16, 1000],
  ],
  'Extra virgin olive oil': [
    ['OIL-250', '8.90', 64, 460],
    ['OIL-500', '14.90', 58, 880],
    ['OIL-5000', '79.00', 10, 5200],
  ],
  'Sea salt flakes': [
    ['SALT-150', '4.50', 90, 150],
    ['SALT-SMOKED', '5.20', 62, 150],
  ],
  'Wool blanket': [
    ['WOOL-GREY', '89.00', 7, 1450],
    ['WOOL-OCHRE', '89.00', 4, 1450],
  ],
  'Cushion cover': [
    ['CUSH-40-NAT', '23.00', 20, 210],
    ['CUSH-40-RUST', '23.00', 17, 210],
    ['CUSH-50-NAT', '27.00', 13, 290],
  ],
  'Notebook, dotted': [
    ['00731', '8.00', 70, 240],
    ['00732', '12.00', 45, 410],
  ],
  '=Equals tote bag': [
    ['TOTE-BLACK', '15.00', 29, 160],
    ['TOTE-NAT', '15.00', 37, 160],
  ],
  'Rubber boots': [
    ['BOOT-38', '49.00', 5, 1600],
    ['BOOT-40', '49.00', 6, 1650],
    ['BOOT-42', '49.00', 2, 1700],
    ['BOOT-44', '49.00', 1, 1750],
  ],
  'Flower seeds': [
    ['SEED-BEE', '3.20', 150, 12],
    ['SEED-SUN', '2.80', 134, 15],
    ['SEED-POPPY', '2.80', 98, 8],
  ],
  'Pottery class for two': [['CLASS-2', '95.00', null, 0]],
};

const PICTURES: Readonly<Record<string, string>> = {
  'Stoneware mug': 'stoneware-mug',
  'Espresso cup, set of two': 'espresso-cup-set-of-two',
  'Breakfast bowl': 'breakfast-bowl',
  'Dinner plate': 'dinner-plate',
  'Teapot with bamboo handle': 'teapot-with-bamboo-handle',
  'Olive wood board': 'olive-wood-board',
  'Linen tea towel': 'linen-tea-towel',
  'Linen apron': 'linen-apron',
  'Beeswax candle': 'beeswax-candle',
  'Soy candle in a jar': 'soy-candle-in-a-jar',
  'Olive oil soap': 'olive-oil-soap',
  'Café of the house, whole beans': 'cafe-of-the-house',
  'Green tea, loose': 'green-tea',
  'Rooibos, loose': 'rooibos',
  'Orange blossom honey': 'orange-blossom-honey',
  'Extra virgin olive oil': 'extra-virgin-olive-oil',
  'Sea salt flakes': 'sea-salt-flakes',
  'Wool blanket': 'wool-blanket',
  'Cushion cover': 'cushion-cover',
  'Notebook, dotted': 'notebook-dotted',
  '=Equals tote bag': 'equals-tote-bag',
  'Rubber boots': 'rubber-boots',
  'Flower seeds': 'flower-seeds',
  'Pottery class for two': 'pottery-class-for-two',
};

/** The shop that is there where no other is connected: 24 products of a household shop, in one place, in euros. */
export const DEMO_SHOP: ShopSeed = {
  name: 'Almond Street',
  currency: 'EUR',
  locations: ['Almond Street 7'],
  products: demoProducts(),
};

function demoProducts(): readonly ProductSeed[] {
  let rows = 0;
  return Object.entries(SHELVES).map(([title, shelf]) => ({
    title,
    image: `${OWN}${PICTURES[title]}`,
    variants: shelf.map((row) => {
      rows += 1;
      return variantOf(row, rows);
    }),
  }));
}

function variantOf([sku, price, available, grams]: Row, number: number): VariantSeed {
  const isThing = available !== null;
  return {
    sku,
    price,
    available,
    taxable: isThing,
    requiresShipping: isThing,
    barcode: isThing ? barcodeOf(number) : null,
    weight: isThing ? weightOf(grams) : null,
  };
}

function weightOf(grams: number): Weight {
  return grams < 1000 ? { value: grams, unit: 'GRAMS' } : { value: grams / 1000, unit: 'KILOGRAMS' };
}

/** An EAN of the range that a shop may give out for itself. */
function barcodeOf(number: number): string {
  const digits = `2000000${String(number).padStart(5, '0')}`;
  const sum = [...digits].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
