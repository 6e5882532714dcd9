import {
  at,
  BARK,
  BUTTER,
  bean,
  box,
  CLAY,
  CREAM,
  circle,
  type Drawing,
  ellipse,
  flower,
  HONEY,
  LEAF,
  leaf,
  line,
  MOSS,
  many,
  OCHRE,
  olive,
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

function jar(fill: string, lid: string): string {
  return (
    path(
      'M150 196c0-26 16-38 40-38h100c24 0 40 12 40 38v158c0 24-16 38-40 38h-100c-24 0-40-14-40-38z',
      '#fff',
      'opacity=".55"',
    ) +
    path('M162 210c0-20 10-30 30-30h96c20 0 30 10 30 30v140c0 20-10 30-30 30h-96c-20 0-30-10-30-30z', fill) +
    shade('M272 180h16c20 0 30 10 30 30v140c0 20-10 30-30 30h-30c16-60 20-140 14-200z') +
    shine('M176 216c0-8 14-8 14 0v122c0 8-14 8-14 0z', 0.45) +
    box(166, 116, 148, 46, 12, lid) +
    shade('M270 116h32a12 12 0 0 1 12 12v22a12 12 0 0 1-12 12h-40c8-14 10-30 8-46z') +
    box(166, 136, 148, 6, 3, '#fff', 'opacity=".25"')
  );
}

function tin(fill: string, dark: string): string {
  return (
    path('M146 168v206c0 14 42 24 94 24s94-10 94-24v-206z', fill) +
    shade('M278 176l56-8v206c0 12-32 22-74 24c16-70 20-150 18-222z') +
    shine('M164 200c0-8 14-6 14 2v150c0 8-14 6-14-2z', 0.25) +
    path('M140 130v38c0 14 45 26 100 26s100-12 100-26v-38z', dark) +
    ellipse(240, 130, 100, 24, fill) +
    ellipse(240, 127, 80, 16, '#fff', 'opacity=".16"')
  );
}

/** What is eaten and drunk. */
export const PANTRY: Readonly<Record<string, Drawing>> = {
  'cafe-of-the-house': {
    ...BUTTER,
    shapes:
      shadow(232, 396, 118) +
      path('M142 122h184l12 264c0 8-4 10-10 10h-188c-6 0-10-2-10-10z', '#b98a5c') +
      path('M140 92h188l-2 44h-184z', '#a57749') +
      line('M146 114h176', '#8d6237', 4, 'stroke-dasharray="10 7"') +
      shade('M276 92h52l10 294c0 8-4 10-10 10h-62c16-100 18-210 10-304z') +
      shine('M160 152c0-7 12-7 12 0l-6 200c0 7-12 7-12 0z', 0.22) +
      circle(234, 250, 68, CREAM) +
      circle(234, 250, 59, 'none', `stroke="${RUST}" stroke-width="3"`) +
      at(
        234,
        250,
        ellipse(0, 0, 34, 46, '#6b4128') + line('M4 -42c-26 30 22 52-6 84', CREAM, 6),
        'rotate(28)',
      ) +
      box(186, 338, 96, 10, 5, CREAM, 'opacity=".8"') +
      bean(338, 388, -18) +
      bean(376, 376, 24, '#7c4d30') +
      bean(404, 394, -30) +
      bean(120, 392, 32, '#7c4d30') +
      bean(84, 386, -12),
  },
  'green-tea': {
    ...SAGE,
    shapes:
      shadow(240, 398, 122) +
      tin(LEAF, MOSS) +
      path('M172 232c36 10 100 10 136 0v112c-36 10-100 10-136 0z', CREAM) +
      at(
        240,
        290,
        path('M0 40c-34-24-34-62 0-84c34 22 34 60 0 84z', LEAF) +
          line('M0 46v-70', CREAM, 4) +
          line('M0 6l14-12M0 24l16-14M0 6l-14-12M0 24l-16-14', CREAM, 3),
      ) +
      leaf(366, 396, -20, MOSS, 0.5) +
      leaf(346, 388, -150, '#8ba36f', 0.45) +
      leaf(388, 400, -60, '#8ba36f', 0.45) +
      leaf(106, 398, -25, MOSS, 0.5) +
      leaf(124, 400, -110, '#8ba36f', 0.4),
  },
  rooibos: {
    ...SAND,
    shapes:
      shadow(222, 396, 118) +
      path('M134 150c30-8 150-8 180 0l10 236c0 8-4 10-10 10h-180c-6 0-10-2-10-10z', CREAM) +
      path('M132 128c26-10 158-10 184 0l-2 40c-40 8-140 8-180 0z', RUST) +
      line('M186 146c20-30 56-30 76 0', CLAY, 7) +
      shade('M272 132l44-4l8 258c0 8-4 10-10 10h-56c16-86 20-180 14-264z', 0.09) +
      path('M224 206c40 0 62 30 62 66s-26 66-62 66s-62-30-62-66s22-66 62-66z', '#ecdcc2') +
      path('M172 286c20-20 86-22 104 0c-4 28-26 46-52 46s-48-18-52-46z', '#b4532c') +
      many(
        [
          [196, 296],
          [214, 288],
          [234, 292],
          [252, 298],
          [208, 312],
          [230, 316],
          [248, 312],
        ],
        (x, y) => line(`M${x - 7} ${y + 3}l14-6`, '#8a3518', 4),
      ) +
      box(178, 356, 92, 10, 5, CLAY) +
      path('M306 396c10-36 96-40 114 0z', '#b4532c') +
      many(
        [
          [330, 388],
          [350, 376],
          [372, 384],
          [392, 390],
          [360, 392],
        ],
        (x, y) => line(`M${x - 8} ${y + 3}l16-7`, '#8a3518', 4),
      ) +
      flower(394, 366, '#f0b84a', '#c8704b', 0.5),
  },
  'orange-blossom-honey': {
    ...BUTTER,
    shapes:
      shadow(240, 394, 122) +
      jar(HONEY, CREAM) +
      path('M240 226l58 33v66l-58 33l-58-33v-66z', CREAM) +
      path('M240 240l46 26v52l-46 26l-46-26v-52z', 'none', `stroke="${HONEY}" stroke-width="3"`) +
      flower(240, 292, '#fff', OCHRE, 1.05) +
      circle(240, 292, 13, OCHRE) +
      flower(362, 376, '#fffdf6', OCHRE, 0.9) +
      flower(400, 392, '#fffdf6', OCHRE, 0.65) +
      leaf(330, 392, 12, LEAF, 0.6) +
      flower(116, 386, '#fffdf6', OCHRE, 0.7) +
      leaf(84, 372, -30, LEAF, 0.5),
  },
  'extra-virgin-olive-oil': {
    ...SAGE,
    shapes:
      shadow(220, 396, 92) +
      path(
        'M190 130h60v54c0 30 44 42 44 92v94c0 16-10 26-26 26h-96c-16 0-26-10-26-26v-94c0-50 44-62 44-92z',
        '#5d6b2c',
      ) +
      path('M158 290c30 8 94 8 124 0v76c0 12-8 20-20 20h-84c-12 0-20-8-20-20z', '#8c9a3a', 'opacity=".75"') +
      shade(
        'M232 130h18v54c0 30 44 42 44 92v94c0 16-10 26-26 26h-36c20-60 24-110 10-150c-10-30-10-70-10-116z',
        0.17,
      ) +
      shine('M162 262c4-22 22-34 30-50c4-6 12-2 10 6c-6 18-24 30-26 48v92c0 8-14 8-14 0z', 0.3) +
      box(186, 104, 68, 32, 6, '#3e4a20') +
      box(202, 66, 36, 44, 8, WOOD) +
      shade('M222 66h8a8 8 0 0 1 8 8v28a8 8 0 0 1-8 8h-8z') +
      box(160, 276, 120, 84, 4, CREAM) +
      line('M172 346h96', LEAF, 3) +
      leaf(192, 318, -34, LEAF, 0.62) +
      leaf(222, 314, -8, MOSS, 0.56) +
      ellipse(218, 326, 9, 11, '#7d8a3b') +
      line('M318 388c40-10 66-44 76-88', BARK, 5) +
      leaf(340, 376, -150, LEAF, 0.8) +
      leaf(364, 352, -20, MOSS, 0.8) +
      leaf(378, 334, -160, LEAF, 0.8) +
      leaf(390, 306, -50, MOSS, 0.75) +
      olive(346, 384, '#7d8a3b') +
      olive(382, 374, '#56423f'),
  },
  'sea-salt-flakes': {
    ...SKY,
    shapes:
      shadow(230, 394, 122) +
      path('M112 270c28-96 68-124 122-124s94 30 122 124z', '#fff') +
      path('M250 150c44 8 78 40 106 120h-84c8-40 2-84-22-120z', '#d5e3e6') +
      many(
        [
          [170, 234],
          [206, 196],
          [250, 176],
          [238, 224],
          [290, 210],
          [308, 246],
          [192, 252],
          [268, 250],
        ],
        (x, y) => path(`M${x} ${y}l12-8l12 8l-12 8z`, '#b9d0d6'),
      ) +
      path('M94 262h280c0 84-52 130-104 130h-72c-52 0-104-46-104-130z', WOOD) +
      shade('M306 262h68c0 84-52 130-104 130h-30c42-34 66-78 66-130z') +
      line(
        'M124 300c40 14 70 4 112 10M138 334c40 12 90-2 130 8M330 300c-20 10-40 8-58 6',
        BARK,
        4,
        'opacity=".5"',
      ) +
      ellipse(234, 262, 140, 17, 'none', `stroke="#d7a573" stroke-width="8"`) +
      many(
        [
          [386, 388],
          [408, 380],
          [400, 400],
          [70, 392],
          [92, 400],
        ],
        (x, y) => path(`M${x} ${y}l9-6l9 6l-9 6z`, '#fff'),
      ) +
      at(
        352,
        196,
        box(-7, -96, 14, 110, 7, BARK) + ellipse(0, 30, 24, 32, BARK) + ellipse(0, 32, 16, 22, '#fff'),
        'rotate(38)',
      ),
  },
};
