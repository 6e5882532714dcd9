import type { StyleId } from '../../styles.ts';

/**
 * Written in Spanish, not translated, and addressed to «tú». The topic is alone, next to a colon, or its own sentence, so
 * that neither its gender nor its number matters.
 */
export const SPANISH_PATTERNS: Readonly<Record<StyleId, readonly string[]>> = {
  curiosity: [
    '{topic}: la parte que las guías se saltan.',
    '{topic}. Y ahora, lo que nadie dice en voz alta.',
    'Guardo una sola nota sobre esto: {topic}. Dice así.',
    '{topic}: mira qué pasa si cambias una sola cosa.',
    'Fíjate primero en lo que falta. {topic}.',
    '{topic}, sin repetir lo que ya has oído.',
  ],
  question: [
    '{topic}: ¿por dónde empezarías tú?',
    '{topic}: ¿qué quitarías primero?',
    '¿Quién te lo enseñó, y tenía razón? {topic}.',
    '{topic}: ¿qué parte sigues haciendo a ojo?',
    '¿Qué le dirías a un amigo en 10 segundos? {topic}.',
    '{topic}: ¿lo harías dos veces de la misma manera?',
  ],
  storytelling: [
    '{topic}: todo empezó con un desvío.',
    'Estuve a punto de dejarlo pasar. {topic}, y qué me hizo cambiar de idea.',
    '{topic}. Primer intento: un desastre. Este es el segundo.',
    'Sobre el papel todo cuadraba. Hasta que llegó esto: {topic}.',
    '{topic}: dónde estaba el lunes y dónde estoy hoy.',
    'Todo listo, menos un detalle. {topic}, desde el principio.',
  ],
  urgency: [
    '{topic}: resuelve esto antes de seguir.',
    'Antes del próximo intento, dos minutos para esto: {topic}.',
    '{topic}. Guárdalo antes de que te haga falta.',
    'No des el siguiente paso todavía. Antes va esto: {topic}.',
    '{topic}: lo que te cuesta esperar otra semana.',
    'Cinco minutos ahora y sin prisas después: {topic}.',
  ],
  list: [
    '3 cosas que conviene mirar primero: {topic}.',
    '{topic}: 3 señales de que vas bien.',
    '{topic}, en 4 pasos. El segundo es fácil de saltarse.',
    '3 preguntas antes de empezar: {topic}.',
    'Quédate con dos cosas y suelta una: {topic}.',
    '{topic}: las 5 notas que salvaría si perdiera el resto.',
  ],
  how_to: [
    '{topic}: empieza por el paso más pequeño.',
    '{topic}: empieza sin comprar nada.',
    'Si tuviera que empezar hoy de cero: {topic}.',
    '{topic}: la versión que puedes probar esta noche.',
    'Hazlo mal una vez y corrige una sola cosa: {topic}.',
    '{topic}: qué hacer primero y qué dejar para luego.',
  ],
  mistake: [
    '{topic}: el error se esconde en el primer paso.',
    'Puedes hacerlo todo bien y que se te escape esto. {topic}.',
    '{topic}. ¿No te sale? Mira aquí primero.',
    '{topic}: cuesta más encontrar el error que arreglarlo.',
    'Yo no volvería a hacerlo así: {topic}.',
    '{topic}: quizá estás dando el paso dos antes que el uno.',
  ],
  contrarian: [
    '{topic}: no comparto el consejo de siempre, y te digo por qué.',
    '{topic}: el consejo de siempre se salta lo difícil.',
    'Deja las herramientas un momento. {topic}.',
    '{topic}: ¿y si el atajo es el camino largo?',
    'Menos, pero mejor: {topic}.',
    '«{topic}» no es por donde yo empezaría.',
  ],
  statistic: [
    '{topic}: ponle un número antes de empezar.',
    'Antes de opinar, un número: {topic}.',
    '{topic}: mídelo 7 días y después decide.',
    'Apunta el número de hoy. {topic}, una semana más tarde.',
    'Una sola cifra te dice si funciona: {topic}.',
    '{topic}: ¿cuántos intentos hicieron falta?',
  ],
  social_proof: [
    'Pregunta a tres personas y compara las respuestas: {topic}.',
    '{topic}: qué se pregunta al empezar y qué un año después.',
    'Conoces a alguien que está atascado en esto: {topic}.',
    '{topic}: ¿quién lo hace bien a tu alrededor, y qué se ahorra?',
    'Lee los comentarios antes de copiar a nadie. {topic}.',
    '{topic}: ¿qué me preguntarías primero?',
  ],
  challenge: [
    '{topic}: explícalo en una frase. Te espero.',
    '{topic}: adivina la respuesta antes de que la diga.',
    'Sin apuntes, 10 minutos, ya: {topic}.',
    '{topic}: da el primer paso antes de que esto acabe.',
    'Para aquí y apunta tu primer movimiento. {topic}.',
    'Siete días, un solo cambio. {topic}.',
  ],
  promise: [
    '{topic}: un siguiente paso claro y nada que comprar.',
    'Dame 60 segundos. {topic}.',
    '{topic}, con palabras de todos los días.',
    'Te vas con una cosa para probar: {topic}.',
    '{topic}: un ejemplo de principio a fin, sin teoría.',
    'Al final podrás explicárselo a un amigo: {topic}.',
  ],
};
