import { expect, test } from 'vitest';
import { fillPattern } from '../../../src/hooks/writing/builtin/fill-pattern.ts';
import { readTopic } from '../../../src/hooks/writing/builtin/topic.ts';

test.each([
  ['{name}: where would you start?', 'morning routines', 'en', 'Morning routines: where would you start?'],
  ['Read this first: {name}.', 'Morning routines!', 'en', 'Read this first: morning routines.'],
  ['Give me a minute. {name}.', 'morning routines', 'en', 'Give me a minute. Morning routines.'],
  ['{name}: guess first.', 'iPhone photos', 'en', 'iPhone photos: guess first.'],
  ['How to {do} on a bad day.', 'Learning Spanish', 'en', 'How to learn Spanish on a bad day.'],
  ['The hard part of {topic}.', 'how to bake bread', 'en', 'The hard part of baking bread.'],
  ['Before you buy {thing}, wait.', 'air fryer', 'en', 'Before you buy an air fryer, wait.'],
  ['What if {topic} {is|are} late?', 'Taxes', 'en', 'What if taxes are late?'],
  ['Lo difícil {of}.', 'Ayuno intermitente', 'es', 'Lo difícil del ayuno intermitente.'],
  ['Lo difícil {of}.', 'cómo aprender inglés', 'es', 'Lo difícil de aprender inglés.'],
  [
    'Mira {thing}: {lo|la|los|las} quieres.',
    'velas artesanales',
    'es',
    'Mira las velas artesanales: las quieres.',
  ],
  [
    'Antes de comprar {object}, espera.',
    'Pendientes de plata',
    'es',
    'Antes de comprar pendientes de plata, espera.',
  ],
  [
    'Antes de comprar {object}, espera.',
    'freidora de aire',
    'es',
    'Antes de comprar una freidora de aire, espera.',
  ],
  ['Compara {several}.', 'bicis usadas', 'es', 'Compara bicis usadas.'],
  ['Elige entre {many}.', 'bicis usadas', 'es', 'Elige entre las bicis usadas.'],
  ['Antes de comprar {one}, espera.', 'La freidora', 'es', 'Antes de comprar una freidora, espera.'],
  ['Así elegiría yo {pick}.', 'turrón casero', 'es', 'Así elegiría yo el turrón casero.'],
  ['Así elegiría yo {pick}.', 'Mermelada de higos', 'es', 'Así elegiría yo la mermelada de higos.'],
  ['Así elegiría yo {pick}.', 'freidora de aire', 'es', 'Así elegiría yo una freidora de aire.'],
  ['Antes de comprar {one}, mira.', 'turrón casero', 'es', 'Antes de comprar turrón casero, mira.'],
  [
    'Te lo digo: {call}.',
    'Instagram me bloqueó la cuenta',
    'es',
    'Te lo digo: Instagram me bloqueó la cuenta.',
  ],
  ['Te lo digo: {call}.', 'Etsy sube las comisiones', 'es', 'Te lo digo: Etsy sube las comisiones.'],
  ['Te lo digo: {call}.', 'Ayer me robaron la bici', 'es', 'Te lo digo: ayer me robaron la bici.'],
  ['Hablemos {of_thing}.', 'Día de la Madre', 'es', 'Hablemos del Día de la Madre.'],
  ['{signup}: ¿te apuntas?', 'sorteo de una cesta', 'es', 'Sorteo de una cesta: ¿te apuntas?'],
  ['¿Conoces a alguien? {wanted}.', 'Se buscan camareros', 'es', '¿Conoces a alguien? Se buscan camareros.'],
  ['La historia {of_own}, sin adornos.', 'Mi padre', 'es', 'La historia de mi padre, sin adornos.'],
  ['La historia {of_last}.', 'Mi padre, que cose', 'es', 'La historia de mi padre, que cose.'],
  ['Hablemos {of_end}.', 'velas que no huelen', 'es', 'Hablemos de las velas que no huelen.'],
  ['Guarda esto si quieres {do}.', 'mudarse a Lugo', 'es', 'Guarda esto si quieres mudarte a Lugo.'],
  ['{choice}: ¿con qué te quedas?', 'té o café', 'es', 'Té o café: ¿con qué te quedas?'],
  ['Apúntalo: {notice}.', 'Nuestro nuevo horario', 'es', 'Apúntalo: nuestro nuevo horario.'],
  ['Míralo: {deal}.', '20 % en velas', 'es', 'Míralo: 20 % en velas.'],
  [
    '¿Vienes? Apúntate: {event}.',
    'taller de barro el lunes',
    'es',
    '¿Vienes? Apúntate: taller de barro el lunes.',
  ],
  ['{clause}: te lo contamos.', 'Por qué cerramos', 'es', 'Por qué cerramos: te lo contamos.'],
  ['Mira: {name}.', 'Reseñas de clientes', 'es', 'Mira: reseñas de clientes.'],
  ['Look: {name}.', 'Ceramic mugs', 'en', 'Look: ceramic mugs.'],
  ['Look: {name}.', 'Black Friday', 'en', 'Look: Black Friday.'],
  ['¿Volverías {to_thing}?', 'El Mundial de 2026', 'es', '¿Volverías al Mundial de 2026?'],
  [
    '{name}: the part guides leave out.',
    'why is the sky blue?',
    'en',
    'Why is the sky blue? The part guides leave out.',
  ],
  ['{name}: ¿qué quitarías primero?', '¿por qué llueve?', 'es', '¿Por qué llueve? ¿Qué quitarías primero?'],
  ['{name}, con calma.', '¿por qué llueve?', 'es', '¿Por qué llueve? Con calma.'],
  ['{name}: why now?', '  “2) $& and $1”  ', 'en', '$& and $1: why now?'],
  ['{name}: why now?', 'a new flavor: pistachio', 'en', 'A new flavor: pistachio. Why now?'],
  ['Think of {topic}.', 'paying off a loan', 'en', 'Think of paying off a loan.'],
  ['Look: {name}.', 'Christmas cards', 'en', 'Look: Christmas cards.'],
  ['{name}: why now?', 'https://evil.example/x', 'en', 'This one: why now?'],
  ['{name}: why now?', 'خبز العجين المخمر', 'en', 'خبز العجين المخمر: why now?'],
  [
    'Try this: {name}.',
    'how to teach a dog to come back when it is distracted at the park',
    'en',
    'Try this: how to teach a dog to come back when…',
  ],
  [
    'Try this: {name}.',
    'Sourdough at home, even in a very small kitchen without an oven',
    'en',
    'Try this: sourdough at home.',
  ],
] as const)('%j takes %j in %s: %j', (pattern, topic, language, text) => {
  expect(fillPattern(pattern, readTopic(topic, language), language, 100)).toBe(text);
});

test.each([
  ['when to repot a monstera', true],
  ['how basil survives the winter', true],
  ['why your houseplants get yellow leaves', true],
  ['is a standing desk worth it?', true],
  ['why we stopped using plastic', false],
  ['how to bake bread', false],
  ['how to keep basil alive in winter', false],
  ['new opening hours', false],
])('%j calls for an answer: %j', (topic, clause) => {
  const fill = (pattern: string) => fillPattern(pattern, readTopic(topic, 'en'), 'en', 100) !== undefined;
  expect([fill('{clause}: start here.'), fill('{noun}: start here.')]).toEqual([clause, !clause]);
});

test.each([
  ['Canva vs Photoshop', true],
  ['why does it rain?', false],
  ['ceramic mugs', false],
])('%j is a label that neither asks nor has a form inside a sentence: %j', (topic, isTitle) => {
  expect(fillPattern('{title}: start here.', readTopic(topic, 'en'), 'en', 100) !== undefined).toBe(isTitle);
});

test.each([
  ['Let me tell you about {own}.', "my dad's workshop", "Let me tell you about my dad's workshop."],
  ['Before you buy {thing}, wait.', "my dad's workshop", undefined],
  ['Let me tell you about {relative}.', 'our driver Tom', 'Let me tell you about our driver Tom.'],
  ['{tale}: the honest version.', 'how we make our soap', 'How we make our soap: the honest version.'],
  [
    '{tale}: the honest version.',
    'packing orders in my kitchen',
    'Packing orders in my kitchen: the honest version.',
  ],
  ['{offer}. Save the date.', '20% off candles', '20% off candles. Save the date.'],
  ['{event}. Save the date.', 'a workshop on Saturday', 'A workshop on Saturday. Save the date.'],
  ['{moment}. A few words.', 'a farewell to our baker', 'A farewell to our baker. A few words.'],
  ['Before {day}, read this.', "Mother's Day", "Before Mother's Day, read this."],
  ['Try {food} today.', 'olive oil from Crete', 'Try olive oil from Crete today.'],
  ['What is {thing}?', 'fire pit', undefined],
  [
    'Let us face {topic}.',
    'loneliness of working from home',
    'Let us face the loneliness of working from home.',
  ],
  ['{numbered}. Save this.', '5 mistakes i made', '5 mistakes I made. Save this.'],
  ['Want to {do}?', 'to forgive someone', 'Want to forgive someone?'],
  [
    'Tell me about {relative}.',
    'my father, who opened the shop',
    'Tell me about my father, who opened the shop.',
  ],
  ['What would {relative} say today?', 'my father, who opened the shop', undefined],
])('%j suits %j as %j', (pattern, topic, text) => {
  expect(fillPattern(pattern, readTopic(topic, 'en'), 'en', 100)).toBe(text);
});

test('a pattern is skipped when the topic lacks its form', () => {
  expect(fillPattern('Cómo comprar {one}.', readTopic('velas', 'es'), 'es', 100)).toBeUndefined();
  expect(fillPattern('Mira {thing}.', readTopic('mi padre', 'es'), 'es', 100)).toBeUndefined();
  expect(fillPattern('Elige {pick}.', readTopic('velas', 'es'), 'es', 100)).toBeUndefined();
  expect(fillPattern('Yo evitaría {act}.', readTopic('mudarse', 'es'), 'es', 100)).toBeUndefined();
  expect(fillPattern('How to {do}.', readTopic('Frida Kahlo', 'en'), 'en', 100)).toBeUndefined();
  expect(fillPattern('Before {topic}.', readTopic('why is it blue?', 'en'), 'en', 100)).toBeUndefined();
});
