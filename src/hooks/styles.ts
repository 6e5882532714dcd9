import type { Language } from './text/language.ts';

/** The ids of the styles, as in `styles_used`. */
export const STYLE_IDS = [
  'curiosity',
  'question',
  'storytelling',
  'urgency',
  'list',
  'how_to',
  'mistake',
  'contrarian',
  'statistic',
  'social_proof',
  'challenge',
  'promise',
] as const;
export type StyleId = (typeof STYLE_IDS)[number];

/** The styles of the free plan; paid plans have all of them. */
export const FREE_STYLES: readonly StyleId[] = STYLE_IDS.slice(0, 6);

/** A style, described for writers and for readers. */
export type StyleCard = {
  readonly id: StyleId;
  readonly label: Readonly<Record<Language, string>>;
  /** Why it works, one sentence for the reader of a hook. */
  readonly why: Readonly<Record<Language, string>>;
  /** For the writer: what such a hook does. */
  readonly does: string;
  /** For the writer: when another style is better. */
  readonly avoidWhen: string;
  readonly examples: Readonly<Record<Language, readonly string[]>>;
};

export const STYLES: Readonly<Record<StyleId, StyleCard>> = {
  curiosity: {
    id: 'curiosity',
    label: { en: 'Curiosity', es: 'Curiosidad' },
    why: {
      en: 'It shows that something is missing, and the missing part is what follows.',
      es: 'Deja ver que falta algo, y lo que falta viene a continuación.',
    },
    does: 'Names a concrete gap in what the audience knows and holds the answer back for one beat.',
    avoidWhen: 'The content has no real answer to hold back, or the answer is common knowledge.',
    examples: {
      en: [
        'I measured my sourdough for a month. The oven was never the problem.',
        'One line in your lease decides who pays for the boiler.',
      ],
      es: [
        'Pesé mi pan de masa madre durante un mes. El horno no era el problema.',
        'Una línea de tu contrato decide quién paga la caldera.',
      ],
    },
  },
  question: {
    id: 'question',
    label: { en: 'Question', es: 'Pregunta' },
    why: {
      en: 'A question the viewer can answer alone makes them answer it before they scroll.',
      es: 'Una pregunta que uno mismo puede contestar se contesta antes de seguir deslizando.',
    },
    does: 'Asks one question that the audience can answer from their own life, and that the content settles.',
    avoidWhen: 'The honest answer is yes or no and ends the matter.',
    examples: {
      en: ['Which would you cut first: the rent or the car?', 'When did you last read your own contract?'],
      es: [
        '¿Qué recortarías primero: el alquiler o el coche?',
        '¿Cuándo leíste tu propio contrato por última vez?',
      ],
    },
  },
  storytelling: {
    id: 'storytelling',
    label: { en: 'Story', es: 'Historia' },
    why: {
      en: 'It opens in the middle of a scene, so one has to stay to know how it ends.',
      es: 'Empieza en mitad de una escena, y hay que quedarse para saber cómo acaba.',
    },
    does: 'Opens in the middle of one scene with a person, a place and something at stake.',
    avoidWhen: 'There is no true scene to tell; an invented one costs trust.',
    examples: {
      en: [
        'At 2 a.m. the client sent one word: stop.',
        'My first loaf went out of the window. The second one sold.',
      ],
      es: [
        'A las dos de la mañana el cliente escribió una palabra: paren.',
        'Mi primer pan acabó en la basura. El segundo se vendió.',
      ],
    },
  },
  urgency: {
    id: 'urgency',
    label: { en: 'Urgency', es: 'Urgencia' },
    why: {
      en: 'It says what waiting costs, which gives a reason to watch now.',
      es: 'Dice lo que cuesta esperar, y eso da un motivo para mirar ahora.',
    },
    does: 'Says what changes soon or what waiting costs, with the true date or cause.',
    avoidWhen: 'Nothing runs out. A deadline that is not real is a lie the audience finds out.',
    examples: {
      en: [
        'Check this before you renew on the 1st.',
        'Every week you leave this setting on, it deletes a backup.',
      ],
      es: [
        'Revisa esto antes de renovar el día 1.',
        'Cada semana con este ajuste activado se borra una copia.',
      ],
    },
  },
  list: {
    id: 'list',
    label: { en: 'List', es: 'Lista' },
    why: {
      en: 'A count says how much is coming, and an unfinished list is hard to leave.',
      es: 'El número dice cuánto viene, y cuesta dejar una lista a medias.',
    },
    does: 'Announces a small number of things and hints that one of them is unexpected.',
    avoidWhen: 'The content has no countable parts, or the number would be padded.',
    examples: {
      en: [
        '3 things I check before I sign anything. The second takes a minute.',
        'Four signs your dough is ready, and none is the clock.',
      ],
      es: [
        '3 cosas que reviso antes de firmar. La segunda lleva un minuto.',
        'Cuatro señales de que la masa está lista, y ninguna es el reloj.',
      ],
    },
  },
  how_to: {
    id: 'how_to',
    label: { en: 'How to', es: 'Cómo hacerlo' },
    why: {
      en: 'It promises a result one can try today, and the first step is small.',
      es: 'Promete algo que se puede probar hoy, y el primer paso es pequeño.',
    },
    does: 'Names the result and the smallest first step, with what one does not need for it.',
    avoidWhen: 'The content explains or argues instead of showing steps.',
    examples: {
      en: [
        'How to read a lease in ten minutes, without a lawyer.',
        'Start with the lid on: a crust without a steam oven.',
      ],
      es: [
        'Cómo leer un contrato en diez minutos, sin abogado.',
        'Empieza con la tapa puesta: corteza sin horno de vapor.',
      ],
    },
  },
  mistake: {
    id: 'mistake',
    label: { en: 'Mistake', es: 'Error' },
    why: {
      en: 'Nobody wants to be the one who makes it, so they stay to check.',
      es: 'Nadie quiere ser quien lo comete, y se queda para comprobarlo.',
    },
    does: 'Points at one common mistake precisely enough that people check whether they make it.',
    avoidWhen: 'It would mock the audience, or the content gives no way to put it right.',
    examples: {
      en: [
        'You salt the water too late, and this is how to tell.',
        'The mistake is on page one: everybody signs it.',
      ],
      es: [
        'Echas la sal demasiado tarde, y así se nota.',
        'El error está en la primera página: todos la firman.',
      ],
    },
  },
  contrarian: {
    id: 'contrarian',
    label: { en: 'Contrarian', es: 'A contracorriente' },
    why: {
      en: 'It contradicts what is usually said, so one wants to hear the argument.',
      es: 'Contradice lo que se suele decir, y uno quiere oír el argumento.',
    },
    does: 'Contradicts one widespread piece of advice and can defend it.',
    avoidWhen: 'The content does not hold up the opposite, or it is about safety or health.',
    examples: {
      en: ['Stop kneading. Time does it for you.', 'I read the reviews last, and I choose better for it.'],
      es: ['Deja de amasar. El tiempo lo hace por ti.', 'Leo las opiniones al final, y así elijo mejor.'],
    },
  },
  statistic: {
    id: 'statistic',
    label: { en: 'Statistic', es: 'Dato' },
    why: {
      en: 'A figure makes the matter concrete and invites to compare it with one’s own.',
      es: 'Una cifra vuelve concreto el asunto e invita a compararla con la propia.',
    },
    does: 'Leads with one figure that comes from the topic or the payoff, and says what it means for a person.',
    avoidWhen: 'No figure is given. Never invent one.',
    examples: {
      en: ['I open this app 41 times a day. I counted.', 'One degree in the fridge is a week of shelf life.'],
      es: [
        'Abro esta aplicación 41 veces al día. Las conté.',
        'Un grado en la nevera es una semana más de vida.',
      ],
    },
  },
  social_proof: {
    id: 'social_proof',
    label: { en: 'Social proof', es: 'Prueba social' },
    why: {
      en: 'It leans on what other people do or ask, which makes it worth a look.',
      es: 'Se apoya en lo que otros hacen o preguntan, y eso merece una mirada.',
    },
    does: 'Shows what a real, named group does, asks or learnt, so the viewer compares themselves.',
    avoidWhen: 'There is nobody to point at. Never invent customers, numbers or authorities.',
    examples: {
      en: [
        'Every baker on my street proves dough overnight. I asked why.',
        'My support inbox asks one thing every Monday.',
      ],
      es: [
        'Todos los panaderos de mi calle reposan la masa de noche. Pregunté por qué.',
        'Mi buzón de soporte pregunta lo mismo cada lunes.',
      ],
    },
  },
  challenge: {
    id: 'challenge',
    label: { en: 'Challenge', es: 'Reto' },
    why: {
      en: 'It asks for one small act right now, and doing it keeps people watching.',
      es: 'Pide un pequeño gesto en el momento, y quien lo hace sigue mirando.',
    },
    does: 'Dares the audience to do or guess one small thing before the content goes on.',
    avoidWhen: 'The act is risky, expensive or needs equipment the audience lacks.',
    examples: {
      en: ['Cover the price and guess. Now look.', 'Try to name five of your subscriptions. I will wait.'],
      es: ['Tapa el precio y adivina. Ahora mira.', 'Intenta nombrar cinco de tus suscripciones. Espero.'],
    },
  },
  promise: {
    id: 'promise',
    label: { en: 'Promise', es: 'Promesa' },
    why: {
      en: 'It says plainly what one takes away and how little it asks in return.',
      es: 'Dice con claridad qué se lleva uno y lo poco que pide a cambio.',
    },
    does: 'States the benefit the viewer leaves with and its price in time or effort, and keeps it.',
    avoidWhen: 'The content does not deliver it in full. Say less, and keep it.',
    examples: {
      en: [
        'After this you will read a lease like a landlord.',
        'Two minutes here, and your next loaf rises.',
      ],
      es: ['Después de esto leerás un contrato como un casero.', 'Dos minutos aquí, y tu próximo pan sube.'],
    },
  },
};
