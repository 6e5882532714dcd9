import {
  at,
  BARK,
  BLUSH,
  box,
  CLAY,
  CREAM,
  circle,
  type Drawing,
  ellipse,
  flame,
  LEAF,
  leaf,
  line,
  MOSS,
  many,
  path,
  RUST,
  SAGE,
  SAND,
  SKY,
  shade,
  shadow,
  shine,
  WOOD,
} from './shapes.ts';

function candle(x: number, top: number, width: number, fill: string): string {
  const left = x - width / 2;
  const cells = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((row) => {
    const y = top + 26 + row * 25;
    if (y > 376) return [];
    const shift = row % 2 === 0 ? 0 : width / 6;
    return [0, 1, 2].map((nth) => {
      const cx = left + width / 6 + shift + (nth * width) / 3;
      return cx < left + width - 8
        ? line(`M${cx} ${y - 9}l9 5v9l-9 5l-9-5v-9z`, '#a8690f', 2.2, 'opacity=".45"')
        : '';
    });
  });
  return (
    path(`M${left} ${top}h${width}v${388 - top}c0 12-${width} 12-${width} 0z`, fill) +
    cells.join('') +
    shade(
      `M${left + width * 0.68} ${top}h${width * 0.32}v${388 - top}c0 6-${width * 0.2} 8-${width * 0.42} 9c${width * 0.1}-60 ${width * 0.1}-200 ${width * 0.1}-${396 - top}z`,
      0.15,
    ) +
    ellipse(x, top, width / 2, 12, '#f4c768') +
    flame(x, top - 2, 0.8)
  );
}

function soap(y: number, fill: string, edge: string): string {
  return (
    path(`M126 ${y}c0-14 12-22 26-22h176c14 0 26 8 26 22v36c0 14-12 22-26 22h-176c-14 0-26-8-26-22z`, edge) +
    path(
      `M126 ${y - 8}c0-14 12-22 26-22h176c14 0 26 8 26 22v24c0 14-12 22-26 22h-176c-14 0-26-8-26-22z`,
      fill,
    ) +
    shine(`M148 ${y - 18}c0-6 96-6 96 0s-96 6-96 0z`, 0.4)
  );
}

/** Linen, candles and soap. */
export const HOUSEHOLD: Readonly<Record<string, Drawing>> = {
  'linen-tea-towel': {
    ...BLUSH,
    flat: true,
    shapes:
      line('M96 92h288', WOOD, 15) +
      circle(96, 92, 13, BARK) +
      circle(384, 92, 13, BARK) +
      path('M158 106h190v292c-32 8-60-6-95 0s-63 8-95 0z', '#3b2a1f', 'opacity=".14"') +
      path('M146 92c0-12 188-12 188 0v290c-32 8-60-6-94 0s-62 8-94 0z', CREAM) +
      path('M146 296c34 8 60 6 94 0s60-8 94 0v18c-34-8-60-6-94 0s-60 8-94 0z', CLAY) +
      path('M146 328c34 8 60 6 94 0s60-8 94 0v9c-34-8-60-6-94 0s-60 8-94 0z', CLAY) +
      line('M170 92v286M192 92v288M214 90v290', CLAY, 3, 'opacity=".55"') +
      shade('M288 84c28 2 46 4 46 8v290c-20 4-34 2-50 0c8-90 10-200 4-298z', 0.08) +
      shade('M226 86h14v296h-10z', 0.05) +
      line('M240 92c-18-30 18-46 18-22c0 10-10 12-18 22z', BARK, 5),
  },
  'linen-apron': {
    ...SKY,
    flat: true,
    shapes:
      circle(240, 58, 10, BARK) +
      line('M190 146c-10-90 110-90 100 0', '#7b4a2c', 11) +
      path('M198 146h106c0 48 22 76 54 92v156h-214v-156c32-16 54-44 54-92z', '#3b2a1f', 'opacity=".14"') +
      line('M142 242c-36 6-56 30-50 62M338 242c36 6 56 30 50 62', '#7b4a2c', 9) +
      path(
        'M186 136h108c0 50 22 80 52 96v150c0 8-6 12-12 12h-188c-6 0-12-4-12-12v-150c30-16 52-46 52-96z',
        CLAY,
      ) +
      path('M186 136h108v15h-108z', RUST) +
      shade('M268 136h26c0 50 22 80 52 96v150c0 8-6 12-12 12h-60c18-80 18-180-6-258z') +
      path('M178 272h124v62c0 14-10 22-22 22h-80c-12 0-22-8-22-22z', '#d98b67') +
      line('M178 272h124', RUST, 6) +
      line('M240 274v80', RUST, 3, 'opacity=".6"') +
      line('M206 272v-34', WOOD, 8) +
      ellipse(206, 226, 11, 17, WOOD),
  },
  'beeswax-candle': {
    ...SAND,
    shapes:
      shadow(240, 392, 142) +
      candle(156, 252, 74, '#eab44d') +
      candle(248, 178, 82, '#e3a437') +
      candle(338, 292, 68, '#efbf62'),
  },
  'soy-candle-in-a-jar': {
    ...BLUSH,
    shapes:
      shadow(240, 394, 112) +
      path('M148 176h184v186c0 20-14 32-34 32h-116c-20 0-34-12-34-32z', '#fff', 'opacity=".5"') +
      path('M158 224h164v136c0 16-10 26-26 26h-112c-16 0-26-10-26-26z', '#f6ead6') +
      ellipse(240, 224, 82, 15, '#fffaf0') +
      flame(240, 222, 0.95) +
      box(178, 272, 124, 82, 6, MOSS) +
      box(190, 284, 100, 58, 3, 'none', `stroke="${CREAM}" stroke-width="2.5" opacity=".7"`) +
      path('M240 292c16 12 18 30 0 42c-18-12-16-30 0-42z', CREAM) +
      shade('M284 180h48v182c0 20-14 32-34 32h-30c16-60 20-140 16-214z', 0.1) +
      shine('M160 192c0-7 12-7 12 0v158c0 7-12 7-12 0z', 0.6) +
      ellipse(240, 176, 92, 16, 'none', 'stroke="#fff" stroke-width="5" opacity=".75"'),
  },
  'olive-oil-soap': {
    ...SAGE,
    shapes:
      shadow(240, 396, 136) +
      soap(346, '#a9b77c', '#8b9a60') +
      soap(280, '#f3e4c6', '#d9c49c') +
      at(
        240,
        218,
        soap(0, '#c9b5d6', '#a891b9').replaceAll('M126', 'M-114').replaceAll('M148', 'M-92'),
        'rotate(-7)',
      ) +
      at(240, 214, line('M-34 -4c14-18 54-18 68 0M-20 8c10-8 30-8 40 0', '#8d74a3', 5), 'rotate(-7)') +
      line('M382 392c-8-70 4-120 26-168', MOSS, 5) +
      many(
        [
          [410, 218],
          [398, 236],
          [418, 240],
          [394, 258],
          [410, 262],
          [388, 280],
          [404, 284],
          [386, 302],
        ],
        (x, y) => ellipse(x, y, 9, 12, '#8d74a3'),
      ) +
      leaf(380, 356, -148, LEAF, 0.6) +
      leaf(382, 340, -32, LEAF, 0.6) +
      many(
        [
          [104, 156],
          [132, 128],
          [92, 120],
        ],
        (x, y) => circle(x, y, 15, '#fff', 'opacity=".55"') + circle(x - 5, y - 5, 4, '#fff'),
      ),
  },
};
