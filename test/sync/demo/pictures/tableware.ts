import {
  at,
  BARK,
  BLUSH,
  BUTTER,
  CLAY,
  CREAM,
  circle,
  type Drawing,
  ellipse,
  LEAF,
  leaf,
  line,
  MOSS,
  many,
  OCHRE,
  olive,
  path,
  SAGE,
  SAND,
  SEA,
  SKY,
  shade,
  shadow,
  shine,
  speckles,
  steam,
} from './shapes.ts';

function mug(glaze: string, rim: string): string {
  return (
    line('M318 226h22c38 0 46 22 46 48s-10 50-54 50h-14', glaze, 24) +
    line('M330 312c24 1 38-4 46-20', '#2c1b12', 24, 'opacity=".12"') +
    path('M142 184h196v154c0 36-22 56-58 56h-80c-36 0-58-20-58-56z', glaze) +
    path('M142 316c50 18 146 18 196 0v22c0 36-22 56-58 56h-80c-36 0-58-20-58-56z', rim) +
    shade('M282 190h56v148c0 36-22 56-58 56h-26c24-40 30-120 28-204z') +
    shine('M162 214c0-8 16-8 16 0v96c0 8-16 8-16 0z') +
    ellipse(240, 184, 98, 22, rim) +
    ellipse(240, 187, 84, 16, '#5b3520') +
    ellipse(226, 184, 48, 8, '#8a5938', 'opacity=".7"')
  );
}

function espresso(glaze: string): string {
  return (
    ellipse(0, 62, 92, 18, CREAM) +
    ellipse(0, 58, 92, 18, glaze) +
    ellipse(0, 57, 60, 10, '#2c1b12', 'opacity=".14"') +
    line('M50 -12h14c22 0 26 12 26 24s-8 26-36 24', glaze, 13) +
    path('M-58 -40h116v52c0 30-18 46-44 46h-28c-26 0-44-16-44-46z', glaze) +
    shade('M26 -36h32v48c0 30-18 46-44 46h-12c18-22 24-58 24-94z') +
    shine('M-46 -20c0-6 10-6 10 0v34c0 6-10 6-10 0z') +
    ellipse(0, -40, 58, 13, CREAM) +
    ellipse(0, -38, 48, 9, '#6b4128')
  );
}

/** Mugs, bowls and what else stands on a laid table. */
export const TABLEWARE: Readonly<Record<string, Drawing>> = {
  'stoneware-mug': {
    ...SKY,
    shapes:
      shadow(254, 394, 142) +
      steam(222, 150) +
      mug(SEA, '#ead7ba') +
      speckles([
        [170, 350],
        [204, 366],
        [238, 352],
        [262, 372],
        [300, 352],
        [224, 380],
        [284, 382],
        [186, 376],
      ]),
  },
  'espresso-cup-set-of-two': {
    ...BLUSH,
    shapes:
      shadow(168, 366, 98, 12) +
      shadow(318, 400, 98, 12) +
      steam(140, 224) +
      at(160, 290, espresso('#e6cda6')) +
      at(312, 324, espresso(SEA)),
  },
  'breakfast-bowl': {
    ...SAGE,
    shapes:
      shadow(240, 392, 110) +
      path('M94 236h292c0 96-56 154-112 154h-68c-56 0-112-58-112-154z', CREAM) +
      path('M100 276c84 26 196 26 280 0c-4 14-8 26-13 37c-76 20-178 20-254 0c-5-11-9-23-13-37z', CLAY) +
      path('M196 384h88v8c0 8-88 8-88 0z', '#e3d4bd') +
      shade('M310 240h76c0 92-56 150-112 150h-30c44-34 66-86 66-150z', 0.1) +
      shine('M118 254c0-6 12-4 13 2c4 26 12 48 24 66c3 6-7 10-11 4c-16-22-24-46-26-72z', 0.5) +
      ellipse(240, 236, 146, 36, '#efe2cc') +
      ellipse(240, 238, 128, 28, '#fffdf7') +
      many(
        [
          [168, 236],
          [196, 224],
          [188, 250],
          [216, 240],
        ],
        (x, y) => circle(x, y, 16, '#4f5f8f') + circle(x - 5, y - 5, 4, '#fff', 'opacity=".5"'),
      ) +
      path('M252 240c8-26 30-34 46-26c4 18-8 36-34 40z', '#d2493c') +
      path('M284 252c2-20 22-32 42-26c2 20-14 34-38 34z', '#d2493c') +
      leaf(276, 216, -38, LEAF, 0.5) +
      many(
        [
          [240, 222],
          [246, 260],
          [226, 258],
          [322, 248],
          [156, 252],
        ],
        (x, y) => ellipse(x, y, 9, 5, OCHRE),
      ),
  },
  'dinner-plate': {
    ...SAND,
    flat: true,
    shapes:
      circle(250, 252, 150, '#3b2a1f', 'opacity=".16"') +
      circle(240, 240, 150, '#e9ddc9') +
      circle(240, 240, 143, '#f7efe1') +
      circle(240, 240, 104, '#d9cab2', 'opacity=".6"') +
      circle(241, 242, 100, '#fbf5ea') +
      line('M240 97a143 143 0 0 1 101 42', SEA, 9) +
      line('M97 240a143 143 0 0 1 42-101', SEA, 9) +
      line('M150 352a143 143 0 0 0 90 31', SEA, 9) +
      line('M383 240a143 143 0 0 1-42 101', SEA, 9) +
      speckles([
        [170, 190],
        [286, 168],
        [310, 262],
        [214, 312],
        [192, 262],
        [262, 226],
        [246, 132],
        [354, 232],
        [132, 276],
        [278, 352],
        [226, 204],
        [296, 306],
      ]) +
      line('M46 150v40c0 18 10 22 14 22s14-4 14-22v-40M60 150v240', '#b9a68a', 8) +
      line('M424 250v140', '#b9a68a', 9) +
      path('M419 130c22 20 24 92 9 126h-9z', '#b9a68a'),
  },
  'teapot-with-bamboo-handle': {
    ...SAGE,
    shapes:
      shadow(240, 392, 130) +
      line('M142 240c0-166 196-166 196 0', OCHRE, 17) +
      many(
        [
          [153, 190],
          [186, 140],
          [240, 117],
          [294, 140],
          [327, 190],
        ],
        (x, y) => circle(x, y, 11, '#b97c24'),
      ) +
      path('M330 300c40-6 40-56 70-76c8-4 26-2 30 6c-30 20-24 96-96 128z', '#46515a') +
      path('M104 306c0-60 58-92 136-92s136 32 136 92c0 54-50 86-96 86h-80c-46 0-96-32-96-86z', '#58646d') +
      shade('M300 224c48 12 76 42 76 82c0 54-50 86-96 86h-40c52-36 76-104 60-168z', 0.18) +
      shine('M130 296c4-26 22-44 48-54c8-2 12 8 4 12c-20 10-32 24-36 44c-2 8-18 8-16-2z', 0.28) +
      path('M180 218c0-14 120-14 120 0c0 10-120 10-120 0z', '#46515a') +
      path('M192 212c6-22 90-22 96 0z', '#58646d') +
      circle(240, 186, 13, OCHRE) +
      speckles(
        [
          [160, 330],
          [190, 356],
          [230, 340],
          [270, 366],
          [300, 336],
          [214, 290],
          [262, 300],
        ],
        '#fff',
      ),
  },
  'olive-wood-board': {
    ...BUTTER,
    shapes:
      shadow(222, 398, 120) +
      at(
        222,
        236,
        path(
          'M-92 -40c0-26 18-40 44-40h12c8 0 12-6 12-16v-42c0-40 48-40 48 0v42c0 10 4 16 12 16h12c26 0 44 14 44 40v156c0 28-18 42-44 42h-96c-26 0-44-14-44-42z',
          BARK,
          'transform="translate(9 5)"',
        ) +
          path(
            'M-92 -40c0-26 18-40 44-40h12c8 0 12-6 12-16v-42c0-40 48-40 48 0v42c0 10 4 16 12 16h12c26 0 44 14 44 40v156c0 28-18 42-44 42h-96c-26 0-44-14-44-42z',
            '#cf9a62',
          ) +
          circle(0, -132, 11, BUTTER.light) +
          line(
            'M-66 -40c-10 60 22 90 4 178M-36 -60c-6 70 34 110 10 210M-2 -92c16 60-20 120 16 240M30 -60c14 50-16 90 14 200M62 -36c6 50-14 100 8 168',
            BARK,
            4,
            'opacity=".5"',
          ) +
          ellipse(22, 40, 13, 24, 'none', `stroke="${BARK}" stroke-width="4" opacity=".5"`) +
          shine('M-78 -34c0-8 12-8 12 0v120c0 8-12 8-12 0z', 0.25),
        'rotate(-5)',
      ) +
      shadow(362, 398, 62, 10) +
      leaf(330, 372, -42, MOSS) +
      leaf(368, 360, -80, LEAF) +
      leaf(384, 372, -24, MOSS, 0.9) +
      olive(342, 376, '#7d8a3b') +
      olive(378, 378, '#56423f') +
      olive(408, 382, '#7d8a3b'),
  },
};
