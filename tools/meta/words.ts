/**
 * The words of a text as the search compares them: without accents, endings and the words that every sentence has. One
 * stemmer serves both languages, since a query does not say which it is in, and what is cut wrongly is cut wrongly on
 * both sides. Words of one meaning become one word.
 */
export function wordsOf(text: string): string[] {
  return plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !EMPTY.has(word))
    .map(stem)
    .map((word) => MEANINGS.get(word) ?? word);
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

const EMPTY: ReadonlySet<string> = new Set(
  (
    'an the of to in on at is are be it its for with from by as and or our your me we you do does did can could ' +
    'may should would want need please this that these those what there has have had was were will how ' +
    'not don doesn no any more then so they them their he she him her us too also just still if use used get gets got ' +
    'go goes went take takes took let lets some someone something one ones so about into out up off over than ' +
    'un una el la los las lo de del al en es son esta este esto ese esa estos estas por para con sin se su sus mi ' +
    'me nos le les yo tu que cual como hay ha han he fue era ser estar quiero necesito puedo puede no mas ya'
  ).split(' '),
);

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  // What hangs on a Spanish verb: borrarlo, darme.
  [/(ar|er|ir|ando|iendo)(me|te|se|lo|la|los|las|le|les|nos)$/, '$1'],
  [/ies$/, 'y'],
  [/(ss|x|z|ch|sh)es$/, '$1'],
  [/s$/, ''],
  [/(ing|ed|e)$/, ''],
  [/(aciones|acion|icion|amiento|imiento|ando|iendo|aron|ieron|aba|[ai]d[ao])$/, ''],
  [/(ation|[aei]r|[aeio])$/, ''],
];

// A stem of fewer letters could be any word's.
const SHORTEST = 3;

function stem(word: string): string {
  const cut = ENDINGS.reduce((rest, [ending, kept]) => {
    const shorter = rest.replace(ending, kept);
    return shorter.length < SHORTEST ? rest : shorter;
  }, word);
  return cut.replace(/(\p{L})\1$/u, '$1');
}

/** Each line is one meaning in both languages. */
const MEANINGS: ReadonlyMap<string, string> = new Map(
  [
    'delete remove erase drop discard borrar eliminar quitar suprimir descartar',
    'cancel stop abort halt cancelar detener parar interrumpir detén',
    'undo revert rollback deshacer revertir',
    'restore undelete recover restaurar recuperar',
    'retry redo resume continue reintentar repetir reanudar continuar',
    'list show see view my mine all which listar mostrar muéstrame ver lista mis todos todas cuales',
    'create new add make crear nuevo nueva añadir agregar hacer',
    'save keep guardar',
    'change edit modify update cambiar editar modificar actualizar',
    'test try check verify probar comprobar verificar revisar prueba',
    'import load bring importar cargar traer',
    'export download exportar descargar bajar',
    'publish release publicar',
    'connect link conectar enlazar vincular',
    'disconnect unlink desconectar desvincular',
    'error failure fail failed crash fallo fallar falló fallida',
    'template email mail newsletter plantilla correo boletín',
    'video clip reel',
    'hook opener gancho',
    'store shop tienda comercio',
    'sheet spreadsheet hoja planilla',
    'sync synchronize synchronization sincronizar sincronización',
    'branch rama',
    'draft borrador',
    'version versión',
    'history log past historial registro',
    'environment entorno',
    'production live producción',
    'member user teammate colleague partner person miembro usuario compañero compañera persona',
    'team equipo',
    'account workspace cuenta',
    'key token clave',
    'invoice receipt factura recibo',
    'price cost pricing precio coste costo tarifa cuesta cuestan',
    'buy purchase comprar',
    'pay pagar pago payment',
    'plan subscription suscripción tariff',
    'credit crédito',
    'job task trabajo tarea',
    'field campo',
    'column columna',
    'conflict clash disagree mismatch conflicto choque',
    'stock inventory inventario existencias',
    'warehouse location almacén bodega ubicación',
    'voice tone voz tono',
    'brand marca',
    'event evento',
    'webhook endpoint callback',
    'validate valid compile validar válido',
    'notification notificación',
    'picture image screenshot imagen captura pantallazo foto',
    'data datos dato',
    'sample example muestra ejemplo',
    'schedule programar programada horario',
    'setting configuration config configuración ajuste',
    'file archivo fichero',
    'language idioma',
    'role permission rol permiso',
    'limit quota allowance límite cuota',
    'batch bulk lote masivo',
    'score rate grade puntuar calificar puntuación nota',
    'compare difference diff different differ comparar diferencia',
    'background segundo',
  ].flatMap((line) => {
    const [meaning = '', ...words] = plain(line).split(' ').map(stem);
    return words.map((word) => [word, meaning] as const);
  }),
);
