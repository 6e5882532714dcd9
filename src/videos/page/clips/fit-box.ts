type Size = { readonly width: number; readonly height: number };

/** Position of an image in a box, in pixels of the box. */
type Placed = Size & { readonly x: number; readonly y: number };

/** How an image is fitted into the box of its element, as CSS computes it. */
export type Fitting = Size & {
  /** `object-fit` */
  readonly fit: string;
  /** `object-position`, such as `50% 50%` or `0px 10px` */
  readonly position: string;
};

/** https://drafts.csswg.org/css-images/#the-object-fit */
export function placeIn({ fit, position, ...box }: Fitting, picture: Size): Placed {
  const size = sizeIn(box, picture, fit);
  const [x = '50%', y = '50%'] = position.split(/\s+/);
  return { ...size, x: offset(x, box.width - size.width), y: offset(y, box.height - size.height) };
}

function sizeIn(box: Size, { width, height }: Size, fit: string): Size {
  const inside = Math.min(box.width / width, box.height / height);
  const scales: Readonly<Record<string, number>> = {
    contain: inside,
    cover: Math.max(box.width / width, box.height / height),
    none: 1,
    'scale-down': Math.min(1, inside),
  };
  const scale = scales[fit];
  return scale === undefined ? box : { width: width * scale, height: height * scale };
}

/** Percentages are of the space that is left. What is more complicated, such as calc(), is put in the middle. */
function offset(written: string, room: number): number {
  const [, number, unit] = /^(-?[\d.]+)(%|px)$/.exec(written) ?? [];
  if (number === undefined) return room / 2;
  return unit === '%' ? (room * Number(number)) / 100 : Number(number);
}
