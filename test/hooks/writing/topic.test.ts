import { expect, test } from 'vitest';
import { readTopic } from '../../../src/hooks/writing/builtin/topic.ts';

test.each([
  ['en', 'Learning Spanish in 3 months', 'skill'],
  ['en', 'Used electric cars', 'product'],
  ['en', 'A small coffee shop in Austin', 'place'],
  ['en', 'Back pain at work', 'problem'],
  ['en', 'My grandmother', 'person'],
  ['en', 'Saving for a house', 'money'],
  ['en', 'Intermittent fasting', 'health'],
  ['en', 'Frida Kahlo', 'general'],
  ['en', 'Customer reviews', 'general'],
  ['en', 'parking fines', 'general'],
  ['en', 'Meal prep for students', 'general'],
  ['en', 'Lisbon on a budget', 'place'],
  ['en', 'Hiking in Patagonia', 'place'],
  ['en', 'starting a company', 'general'],
  ['en', 'why is bread sour?', 'general'],
  ['en', 'Our returns policy', 'general'],
  ['en', 'Vegan brownies', 'product'],
  ['en', 'A slow laptop', 'problem'],
  ['en', 'Phones at the dinner table', 'general'],
  ['en', 'our new opening hours', 'news'],
  ['en', 'closing early on Friday', 'news'],
  ['en', 'Free shipping this week', 'news'],
  ['en', '20% off candles', 'news'],
  ['en', "We're moving", 'news'],
  ['en', 'a farewell to our baker', 'news'],
  ['en', 'a workshop on Saturday', 'news'],
  ['en', 'Back in stock: the oak lamp', 'news'],
  ['en', 'moving to Spain', 'general'],
  ['en', 'opening a bakery', 'general'],
  ['en', "my dad's workshop", 'general'],
  ['en', 'Free-range eggs', 'general'],
  ['en', 'Invoicing as a freelancer', 'money'],
  ['en', 'Morning yoga class starts in September', 'news'],
  ['en', "Rosie's Bakery turns 10", 'news'],
  ['en', 'our café opens Saturday', 'news'],
  ['en', 'Our bookshop turns ten in May', 'news'],
  ['en', 'Ben joins the team', 'news'],
  ['en', 'win a gift card', 'news'],
  ['en', 'cold starts in winter', 'general'],
  ['en', 'what comes after burnout', 'general'],
  ['en', 'career changes at 40', 'general'],
  ['es', 'Fotografía de bodas', 'skill'],
  ['es', 'freidora de aire', 'product'],
  ['es', 'El Mundial de 2026', 'general'],
  ['es', 'robot de cocina', 'general'],
  ['es', 'Cerramos por vacaciones', 'news'],
  ['es', 'Nuestro nuevo horario', 'news'],
  ['es', '20 % en velas', 'news'],
  ['es', 'taller de cerámica el sábado', 'news'],
  ['es', 'Por qué dejamos de vender bolsas', 'news'],
  ['es', 'tramos de escalera', 'general'],
  ['es', 'velas que vendemos en Navidad', 'general'],
  ['es', 'insomnio', 'problem'],
  ['es', 'Mi abuela', 'person'],
  ['es', 'Los impuestos de los autónomos', 'money'],
  ['es', 'Proteína vegana', 'health'],
  ['es', 'agua de mar', 'general'],
  ['es', 'Reseñas de clientes', 'general'],
  ['es', 'Galicia en otoño', 'place'],
  ['es', 'Primer día de colegio', 'general'],
] as const)('in %s %j is about: %s', (language, topic, about) => {
  expect(readTopic(topic, language).about).toBe(about);
});

test.each([
  'Morning yoga class starts in September',
  "Rosie's Bakery turns 10",
  'our café opens Saturday',
  '5 mistakes when repotting houseplants',
  '3 ways to style a scarf',
  'three lessons from my first year',
])('%j is no thing that a sentence can be about', (topic) => {
  const { slots } = readTopic(topic, 'en');
  for (const slot of ['topic', 'thing', 'do', 'own', 'tale', 'food']) expect(slots).not.toHaveProperty(slot);
});

test.each([
  ['5 mistakes when repotting houseplants', true],
  ['3 ways to style a scarf', true],
  ['5 things I learned', true],
  ['seven hidden beaches in Cornwall', true],
  ['24 hours in Lisbon', false],
  ['2 bedroom apartments', false],
  ['20% off candles', false],
  ['3 classes on Saturday', false],
])('%j is the title of a list: %j', (topic, isNumbered) => {
  expect('numbered' in readTopic(topic, 'en').slots).toBe(isNumbered);
});

test.each([
  ['how i got my first 100 subscribers', 'how I got my first 100 subscribers'],
  ["i'm moving", "I'm moving"],
  ['what i’ve learned', 'what I’ve learned'],
  ['wi-fi at home', 'wi-fi at home'],
])('the lone i of %j is a capital: %j', (topic, label) => {
  expect(readTopic(topic, 'en').label).toBe(label);
});
