/** What a mail says, for the frames to lay out. Paragraphs are html. */
export type Content = {
  readonly name: string;
  readonly lang: string;
  readonly subject: string;
  readonly preheader: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly button?: { readonly text: string; readonly url: string };
  readonly rows?: readonly (readonly [string, string])[];
  readonly image?: { readonly src: string; readonly alt: string };
  readonly footer: string;
};

const FOOTER = 'Harbour Goods, 12 Quay Street, Bristol';
const LEAVE = '<a href="https://harbour.example/unsubscribe?id=81" style="color:#51606b">Unsubscribe</a>';

export const CONTENTS: readonly Content[] = [
  {
    name: 'password reset',
    lang: 'en',
    subject: 'Reset your password',
    preheader: 'The link works for one hour.',
    title: 'Reset your password',
    paragraphs: [
      'You asked for a new password. The link works once.',
      'If you did not ask, write to <a href="mailto:help@harbour.example?subject=Reset%20link" style="color:#0b5c8a">help@harbour.example</a>.',
    ],
    button: { text: 'Choose a new password', url: 'https://harbour.example/reset?t=9f1&amp;u=3' },
    footer: FOOTER,
  },
  {
    name: 'receipt',
    lang: 'en',
    subject: 'Your receipt for order 1042',
    preheader: 'Paid in full, 61.50 EUR.',
    title: 'Thank you for your order',
    paragraphs: ['We have your payment &amp; are packing the parcel.'],
    rows: [
      ['Sailor jumper &times; 1', '48.00 €'],
      ['Wool socks &times; 1', '13.50 €'],
      ['Total', '61.50 €'],
    ],
    button: { text: 'See your order', url: 'https://harbour.example/orders/1042' },
    footer: FOOTER,
  },
  {
    name: 'shipping notice',
    lang: 'en',
    subject: 'Your parcel is on its way',
    preheader: 'It should arrive on Thursday.',
    title: 'On its way',
    paragraphs: ['Track it under <a href="https://track.example/p/JD0144" style="color:#0b5c8a">JD0144</a>.'],
    image: { src: 'https://img.harbour.example/van.png', alt: 'A van at the quay' },
    footer: `${FOOTER}. Call <a href="tel:+441170000000" style="color:#51606b">+44 117 000 0000</a>`,
  },
  {
    name: 'newsletter',
    lang: 'en',
    subject: 'Five ways to mend a jumper',
    preheader: 'Needles out: it is repair month.',
    title: 'Repair month',
    paragraphs: [
      'First, wash it. Then read <a href="https://harbour.example/mend#darning" style="color:#0b5c8a">how to darn an elbow</a>.',
      'Second, find a colour you like. It need not match.',
    ],
    image: { src: 'https://img.harbour.example/darn.jpg?w=600', alt: 'Darning a green elbow' },
    button: {
      text: 'All five ways',
      url: 'https://harbour.example/mend?utm_source=mail&amp;utm_medium=email',
    },
    footer: `${FOOTER}. ${LEAVE}`,
  },
  {
    name: 'invitation',
    lang: 'en',
    subject: 'Mara invited you to the Quay team',
    preheader: 'Join her workspace.',
    title: 'Join the Quay team',
    paragraphs: [
      'Mara Lind (<span style="white-space:nowrap">mara@quay.example</span>) works with Harbour and wants you to join.',
    ],
    button: { text: 'Accept the invitation', url: 'https://quay.example/join/7c2' },
    footer: FOOTER,
  },
  {
    name: 'sign-in code',
    lang: 'en',
    subject: '493 201 is your code',
    preheader: 'It works for ten minutes.',
    title: 'Your code',
    paragraphs: [
      '<span style="font-family:Menlo,Consolas,monospace;font-size:30px;letter-spacing:4px">493 201</span>',
    ],
    footer: FOOTER,
  },
  {
    name: 'confirmación en español',
    lang: 'es',
    subject: 'Confirme su correo, ¡y listo!',
    preheader: 'Solo falta un paso.',
    title: 'Confirme su dirección de correo',
    paragraphs: [
      'Pulse el botón para confirmar que esta dirección es suya. Precio de «bienvenida»: 10&nbsp;%.',
    ],
    button: { text: 'Confirmar mi dirección', url: 'https://puerto.example/confirmar/5b' },
    footer:
      'Puerto, calle Mayor 3, Vigo. <a href="https://puerto.example/baja" style="color:#51606b">Darse de baja</a>',
  },
];
