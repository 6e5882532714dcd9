import type { Language } from '../text/language.ts';

// Word lists of the sentence rule, in the form of `plainText`: lower case, without accents and apostrophes.

type Words = ReadonlySet<string>;

const set = (words: string): Words => new Set(words.split(' '));

/** Articles, pronouns, prepositions, conjunctions and auxiliaries: a sentence cannot do without them. */
export const GLUE: Readonly<Record<Language, Words>> = {
  en: set(
    'a an the this that these those my your his her its our their i you he she it we they me him us them who whom whose ' +
      'which what when where why how of in on at to for from by with without about into over under after before during ' +
      'between through against behind near than as like up down out off and or but nor so if because while until although ' +
      'though is are am was were be been being do does did have has had will would can could should may might must im youre ' +
      'hes shes its were theyre ive youve weve ill youll itll isnt arent wasnt werent dont doesnt didnt havent hasnt wont ' +
      'wouldnt cant couldnt shouldnt heres thats theres whats not no never nobody every each some any all one there here ' +
      'then now just still even too more less most least only once twice same other another else ever yet lets',
  ),
  es: set(
    'el la los las un una unos unas lo al del este esta estos estas ese esa esos esas esto eso mi mis tu tus su sus nuestro ' +
      'nuestra yo el ella ellos ellas me te se nos le les ti que quien quienes cual cuales cuando donde como cuanto cuantos ' +
      'cuantas de en a por para con sin sobre entre desde hasta hacia contra tras antes despues durante segun y e o u pero ' +
      'ni sino si porque aunque mientras es son era eran fue fueron ser estar esta estan estaba estaban hay ha han he has ' +
      'hemos habia no nunca nadie nada algo alguien todo toda todos todas cada otro otra otros otras mas menos muy ya aun ' +
      'todavia solo tan tanto mismo misma aqui ahi asi entonces luego ahora tambien tampoco cuya cuyo',
  ),
};

/** Nothing ends with them, and none of the words below follows them. */
export const OPENERS: Readonly<Record<Language, Words>> = {
  en: set('a an the my your of and but because his our their nor or'),
  es: set('el un la los las del al de y mi tu su pero con en por sus tus mis o ni'),
};

/** Words that cannot follow an article, a possessive or a conjunction like those above. */
export const NEVER_AFTER_OPENER: Readonly<Record<Language, Readonly<Record<string, Words>>>> = {
  en: {
    ...Object.fromEntries(
      ['a', 'an', 'the', 'my', 'your', 'our', 'their'].map((word) => [
        word,
        set('a an the is are was were of and but or to in why who my your it'),
      ]),
    ),
    of: set('is are was of and but or'),
    but: set('but of or'),
    and: set('and of or'),
  },
  es: {
    ...Object.fromEntries(
      ['el', 'la', 'los', 'las', 'un', 'una', 'tu', 'mi', 'su', 'del'].map((word) => [
        word,
        set('el la los las un una es son y pero por con del mi tu su o'),
      ]),
    ),
    de: set('es de y pero del te se'),
    pero: set('pero y o'),
    y: set('y pero o'),
  },
};

/** Verb forms that occur often and are rarely anything else. */
export const VERBS: Readonly<Record<Language, Words>> = {
  en: set(
    'is are am was were be been do does did have has had will would can could should may might must im youre hes shes ' +
      'theyre ive youve weve isnt arent wasnt werent dont doesnt didnt havent hasnt wont wouldnt cant couldnt shouldnt ' +
      'heres thats theres whats its lets went got gave made said told took came saw knew found lost left kept paid sold ' +
      'bought cut put quit read ran grew fell felt held broke chose wrote spoke woke wore threw sent spent built taught ' +
      'thought began heard met sat stood won hid flew drove ate drank slept forgot let says goes makes takes gives gets ' +
      'knows thinks wants needs tells asks costs keeps means works looks seems feels sends dies decides happens comes ' +
      'becomes starts stops ends hides sells buys pays counts spends saves hurts helps wins loses warns asks sees hears ' +
      'leaves changes turns moves shows ended paused failed cost hurt beat hit became understood',
  ),
  es: set(
    'es son soy eres somos era eran fue fueron fui ser sea estoy estas esta estan estaba estaban hay habia ha han he has ' +
      'hemos tengo tienes tiene tienen tenia tuve tuvo hago haces hace hacen hacia hice hizo hacen voy vas va van iba puedo ' +
      'puedes puede pueden pude pudo quiero quieres quiere quieren quise debo debes debe deben digo dices dice dicen dije ' +
      'dijo dijeron se sabes sabe saben supe supo doy das da dan di dio pongo pones pone ponen puse puso veo ves ve ven vi ' +
      'vio creo crees cree creen cuesta cuestan decide deciden llevas lleva llevan llevo llevaba paga pagas pagan pasa ' +
      'pasan queda quedan necesitas necesita necesito pierdes pierde pierden gana ganas ganan guardas tiemblan duermes ' +
      'muere mata matan vuelve vuelven cuenta cuentan miente mienten falta faltan hacen llega llegas llegan empieza ' +
      'empiezan termina terminan acaba acaban sube suben baja bajan crece crecen abre cierra vende venden compras lees ' +
      'riegas usas piensas sirve sirven funciona funcionan cambia cambian esconden equivocan oye oyes tuviste hiciste ' +
      'quieras tuvieras fueras parece parecia costo supiera dieron pidieron pedimos quitamos firma',
  ),
};

/** Verbs that hooks give orders with. */
export const ORDERS: Readonly<Record<Language, Words>> = {
  en: set(
    'stop dont do put take read look watch try ask tell say open close cut cancel delete forget remember turn count guess ' +
      'write name pack paint give find keep learn start begin leave drop skip save check choose pick buy sell call send ' +
      'make let listen wait imagine picture never always think show bring use move change build test measure throw add ' +
      'charge eat drink sleep walk run pay switch answer describe explain follow trust prove',
  ),
  es: set(
    'deja no haz pon toma lee mira prueba pregunta di abre cierra corta cancela borra olvida recuerda apaga enciende ' +
      'cuenta adivina escribe pinta da dale busca guarda aprende empieza suelta salta guarda revisa elige compra vende llama ' +
      'envia espera imagina piensa trae usa mueve cambia mide tira anade come bebe duerme camina corre paga contesta ' +
      'describe explica sigue demuestra gasta date hazle quitale ponle dile tapa quita nunca ven vuelve fijate',
  ),
};

/** Words that sound like a hook. A text of little else says nothing. */
export const EFFECTS: Readonly<Record<Language, Words>> = {
  en: set(
    'but never nobody truth wrong why secret secrets hidden mistake mistakes almost until without first last which who what ' +
      'before wait stop lose lost guess shocking insane',
  ),
  es: set(
    'pero nunca nadie verdad mal por que secreto secretos oculto error errores casi hasta sin primero ultimo cual quien antes ' +
      'espera pierdes adivina',
  ),
};

/** Text that stands for text. */
export const PLACEHOLDERS: Words = set(
  'lorem ipsum amet consectetur adipiscing elit sed tempor incididunt asdf asdfgh qwer qwerty zxcv hjkl foobar blah xxx',
);
