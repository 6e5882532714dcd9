import type { Example } from '../contract/define.ts';

/** What examples begin with: a small video that waits for its turn. */
export const givenVideo = [
  ['create_video', { title: 'Opening day', duration: 0.5, width: 64, height: 64 }],
] as const satisfies Example['given'];

/** The video of `givenVideo`, in an input. */
export const thatVideo = { video_id: '<create_video.id>' };

/** A small template of the account's own. */
export const greeting = {
  template: 'greeting',
  html: '<!doctype html><style>h1 { animation: rise 0.5s both } @keyframes rise { from { opacity: 0 } }</style><div id="stage"><h1>{{title}}</h1></div>',
  manifest: { title: 'Greeting', duration: 5 },
};
