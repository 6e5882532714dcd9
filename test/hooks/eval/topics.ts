import type { Language } from '../../../src/hooks/text/language.ts';

/** Thirty topics a language, as people type them: of every class, with and without capitals, two without a class. */
export const TOPICS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    ...['Learning Spanish in 3 months', 'Sourdough for beginners', 'Running a marathon at 50', 'AI tools'],
    ...[
      'Wedding photography',
      'CRM software for dentists',
      'My new coffee shop in Austin',
      'The 2026 World Cup',
    ],
    ...['used electric cars', 'Taxes', 'a', 'how to teach a dog to come back', 'why is the sky blue?'],
    ...[
      'morning routines',
      'Saving for a house',
      'Intermittent fasting',
      'Back pain at work',
      'My grandmother',
    ],
    ...['handmade candles', 'standing desk', 'vegan protein', 'first job interview', 'burnout'],
    ...['Budget for freelancers', 'Barcelona in winter', 'Shopify themes', 'Frida Kahlo', 'email marketing'],
    ...['air fryer', 'Winter gardening'],
  ],
  es: [
    ...[
      'Los impuestos de los autónomos',
      'Ayuno intermitente',
      'Proteína vegana',
      'Correr un maratón a los 50',
    ],
    ...['Mi nueva cafetería en Sevilla', 'Herramientas de IA', 'Aprender inglés', 'Masa madre'],
    ...[
      'El Mundial de 2026',
      'Fotografía de bodas',
      'Software para dentistas',
      'Coches eléctricos usados',
      'a',
    ],
    ...[
      'cómo ahorrar dinero',
      '¿por qué llueve?',
      'Mi abuela',
      'velas artesanales',
      'freidora de aire',
      'insomnio',
    ],
    ...['Dolor de espalda', 'Hablar en público', 'Sevilla en verano', 'Hipoteca', 'Marketing por correo'],
    ...[
      'entrevista de trabajo',
      'Temas de Shopify',
      'agua de mar',
      'hacer pan en casa',
      'Profesores jóvenes',
    ],
    ...['Presupuesto familiar'],
  ],
};
