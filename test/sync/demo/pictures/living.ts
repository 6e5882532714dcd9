import {
  at,
  BLUSH,
  BUTTER,
  box,
  CLAY,
  CREAM,
  circle,
  DEEP,
  type Drawing,
  ellipse,
  flower,
  INK,
  LEAF,
  leaf,
  line,
  MOSS,
  many,
  OCHRE,
  path,
  RUST,
  SAGE,
  SAND,
  SEA,
  SKY,
  shade,
  shadow,
  shine,
  WOOD,
} from './shapes.ts';

function packet(fill: string, band: string, inside: string): string {
  return (
    box(-72, -112, 144, 214, 6, fill) +
    path('M-72 -84h144v-22a6 6 0 0 0-6-6h-132a6 6 0 0 0-6 6z', band) +
    line('M-72 -84h144', '#fff', 3, 'opacity=".5" stroke-dasharray="2 8"') +
    box(-54, -66, 108, 112, 54, CREAM) +
    inside +
    box(-40, 62, 80, 9, 4, '#fff', 'opacity=".85"') +
    box(-24, 80, 48, 7, 3.5, '#fff', 'opacity=".6"') +
    shade('M34 -112h32a6 6 0 0 1 6 6v202a6 6 0 0 1-6 6h-32z', 0.07)
  );
}

function boot(fill: string, dark: string): string {
  return (
    path('M-48 -196h92l-4 150c2 16 22 22 50 30c32 8 44 22 44 50v6h-182z', fill) +
    path('M-52 -206h100v30h-100z', dark) +
    shade(
      'M14 -176h30l-4 130c2 16 22 22 50 30c32 8 44 22 44 50v6h-60c10-40-64-30-66-80c-2-50 6-90 6-136z',
      0.14,
    ) +
    shine('M-34 -160c0-8 13-8 13 0v120c0 8-13 8-13 0z', 0.28) +
    path('M-54 34h192c0 14-6 22-18 22h-48l-6-8h-34l-6 8h-68c-8 0-12-8-12-22z', dark) +
    line('M46 -30c14 2 24 6 38 10', '#fff', 5, 'opacity=".35"')
  );
}

/** For the sofa, the desk and the garden. */
export const LIVING: Readonly<Record<string, Drawing>> = {
  'wool-blanket': {
    ...SAND,
    shapes:
      shadow(240, 396, 160) +
      path('M92 330h288c20 0 28 12 28 32s-8 32-28 32h-288z', '#8d8f92') +
      path('M92 266h288c20 0 28 12 28 32s-8 32-28 32h-288z', OCHRE) +
      path('M92 202h288c20 0 28 12 28 32s-8 32-28 32h-288z', '#a3a5a7') +
      path('M120 202h26v64h-26zM166 202h12v64h-12zM330 202h26v64h-26zM298 202h12v64h-12z', CREAM) +
      path('M120 266h26v64h-26zM166 266h12v64h-12zM330 266h26v64h-26zM298 266h12v64h-12z', '#f3dca6') +
      path('M120 330h26v64h-26zM166 330h12v64h-12zM330 330h26v64h-26zM298 330h12v64h-12z', CREAM) +
      line('M92 266h300M92 330h300', '#2c1b12', 4, 'opacity=".2"') +
      line(
        'M92 216h-20M92 230h-24M92 246h-20M92 280h-22M92 296h-26M92 314h-20M92 346h-22M92 362h-26M92 378h-20',
        '#7a6a58',
        5,
      ) +
      shade(
        'M352 202h28c20 0 28 12 28 32s-8 32-28 32c20 0 28 12 28 32s-8 32-28 32c20 0 28 12 28 32s-8 32-28 32h-28z',
        0.1,
      ) +
      box(206, 188, 68, 40, 5, RUST) +
      box(218, 203, 44, 9, 4.5, CREAM),
  },
  'cushion-cover': {
    ...SKY,
    shapes:
      shadow(240, 396, 144) +
      path('M96 122c90 20 198 20 288 0c-18 84-18 180 0 270c-90-16-198-16-288 0c18-90 18-186 0-270z', CLAY) +
      path(
        'M120 148c74 14 166 14 240 0c-12 70-12 150 0 218c-74-12-166-12-240 0c12-68 12-148 0-218z',
        '#d98b67',
      ) +
      many(
        [
          [240, 202],
          [240, 314],
          [178, 258],
          [302, 258],
        ],
        (x, y) =>
          path(`M${x} ${y - 30}l26 30l-26 30l-26-30z`, CREAM) +
          path(`M${x} ${y - 14}l12 14l-12 14l-12-14z`, RUST),
      ) +
      many(
        [
          [178, 202],
          [302, 202],
          [178, 314],
          [302, 314],
          [240, 258],
        ],
        (x, y) => circle(x, y, 9, OCHRE),
      ) +
      shade('M306 136c28-4 54-8 78-14c-18 84-18 180 0 270c-26-4-56-8-84-10c20-80 22-160 6-246z', 0.12) +
      shine('M132 168c10 4 20 4 26 6c6 4 2 10-4 10c-8-2-12-2-18-4c-8-2-10-14-4-12z', 0.3) +
      circle(98, 124, 9, OCHRE) +
      circle(382, 124, 9, OCHRE) +
      circle(98, 390, 9, OCHRE) +
      circle(382, 390, 9, OCHRE),
  },
  'notebook-dotted': {
    ...BUTTER,
    flat: true,
    shapes:
      at(
        236,
        242,
        box(-112, -146, 236, 304, 12, '#3b2a1f', 'opacity=".16"') +
          box(-112, -152, 228, 300, 10, '#f6efe0') +
          box(-122, -156, 230, 300, 12, DEEP) +
          box(-122, -156, 34, 300, 10, '#325661') +
          box(-50, -100, 124, 72, 5, CREAM) +
          box(-28, -78, 80, 8, 4, DEEP) +
          box(-28, -60, 52, 7, 3.5, SEA) +
          many(
            [
              [-48, 40],
              [-16, 40],
              [16, 40],
              [48, 40],
              [-48, 72],
              [-16, 72],
              [16, 72],
              [48, 72],
              [-48, 104],
              [-16, 104],
              [16, 104],
              [48, 104],
            ],
            (x, y) => circle(x + 6, y, 4, '#cfe0e2', 'opacity=".75"'),
          ) +
          box(84, -156, 10, 300, 0, OCHRE) +
          shine('M-76 -140c0-6 8-6 8 0v260c0 6-8 6-8 0z', 0.15),
        'rotate(-7)',
      ) +
      at(
        396,
        268,
        box(-8, -120, 24, 226, 4, '#3b2a1f', 'opacity=".14" transform="translate(6 6)"') +
          box(-11, -116, 22, 190, 0, CLAY) +
          box(-11, -116, 8, 190, 0, '#d98b67') +
          box(-11, -140, 22, 26, 5, '#e7b7a0') +
          path('M-11 74h22l-11 40z', '#f0d9b8') +
          path('M-4 100h8l-4 14z', INK),
        'rotate(12)',
      ),
  },
  'equals-tote-bag': {
    ...BLUSH,
    shapes:
      shadow(240, 396, 128) +
      line('M180 190c0-132 120-132 120 0', '#d8c6a6', 15) +
      path('M118 174h244l14 206c0 10-6 16-16 16h-240c-10 0-16-6-16-16z', '#f3e6cc') +
      line('M192 178c0-112 96-112 96 0', '#e4d3b3', 15) +
      line('M192 178v34M288 178v34', '#e4d3b3', 15) +
      shade('M304 174h58l14 206c0 10-6 16-16 16h-70c20-70 24-150 14-222z', 0.08) +
      line('M120 190h240', '#d8c6a6', 4, 'stroke-dasharray="9 7"') +
      box(172, 262, 136, 26, 13, INK) +
      box(172, 308, 136, 26, 13, INK),
  },
  'rubber-boots': {
    ...SAGE,
    shapes:
      shadow(196, 382, 120, 11) +
      shadow(322, 396, 112) +
      at(138, 324, boot('#d9a53a', '#8d6420')) +
      at(276, 338, boot('#e9b949', '#a3762a')),
  },
  'flower-seeds': {
    ...SKY,
    shapes:
      shadow(182, 394, 92) +
      shadow(312, 398, 88) +
      at(
        180,
        268,
        packet(
          CLAY,
          RUST,
          line('M0 46v-46', MOSS, 6) + flower(0, -18, '#d2493c', INK, 1.05) + leaf(0, 34, -24, LEAF, 0.5),
        ),
        'rotate(-7)',
      ) +
      at(
        310,
        288,
        packet(
          LEAF,
          MOSS,
          line('M0 46v-46', MOSS, 6) + flower(0, -16, OCHRE, '#6b4128', 1.1) + leaf(0, 36, -156, LEAF, 0.5),
        ),
        'rotate(6)',
      ) +
      many(
        [
          [226, 404],
          [248, 396],
          [244, 412],
          [400, 402],
          [416, 394],
        ],
        (x, y) => ellipse(x, y, 6, 4, '#6b4128'),
      ),
  },
  'pottery-class-for-two': {
    ...SAND,
    shapes:
      shadow(240, 404, 150, 12) +
      path('M206 352h68l10 52h-88z', '#7a6a5c') +
      ellipse(240, 350, 152, 28, '#8d7c6c') +
      ellipse(240, 342, 152, 28, '#b3a08c') +
      ellipse(240, 340, 116, 19, '#9f8c78') +
      ellipse(240, 338, 76, 13, RUST, 'opacity=".5"') +
      path(
        'M206 146c-4 24 22 38 10 66c-14 24-50 38-50 74c0 32 34 50 74 50s74-18 74-50c0-36-36-50-50-74c-12-28 14-42 10-66z',
        CLAY,
      ) +
      shade(
        'M252 150l22-4c4 24-22 38-10 66c14 24 50 38 50 74c0 32-34 50-74 50c34-26 44-70 22-114c-14-24-6-48-10-72z',
        0.15,
      ) +
      shine('M186 284c0-18 12-28 20-36c6-4 12 2 8 8c-8 10-14 16-14 28c0 10-14 10-14 0z', 0.32) +
      line(
        'M172 268c40 14 96 14 136 0M166 288c44 14 104 14 148 0M192 234c30 10 66 10 96 0',
        RUST,
        4,
        'opacity=".55"',
      ) +
      ellipse(240, 146, 36, 10, RUST) +
      ellipse(240, 147, 26, 6, '#6d3018') +
      at(
        398,
        300,
        box(-5, -70, 10, 104, 5, WOOD) + line('M-3 -68c-20-24 26-24 6 0', '#8d8f92', 5),
        'rotate(14)',
      ) +
      at(
        90,
        330,
        box(-34, -20, 68, 42, 18, OCHRE) +
          many(
            [
              [-16, -6],
              [4, 4],
              [18, -8],
              [-6, 10],
            ],
            (x, y) => circle(x, y, 3.5, '#b97c24'),
          ),
        'rotate(-6)',
      ),
  },
};
