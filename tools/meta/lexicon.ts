/**
 * What people want done, and how they say it in both languages. `~` joins the words of a phrase, which may have others
 * between them. What stands in several lines counts for each of them, the less the more there are.
 *
 * The words are those of any shop owner: write none that only one question needs.
 */
export const VERBS = {
  create:
    'create add new make write start build open~a set~up schedule every~day every~night from~scratch ' +
    'crear crea nuevo añadir agregar agrega hacer haz hazme escribir escribe empezar abrir~una abre~una montar desde~cero configurar cada~día cada~noche que~cada',
  save:
    'save store keep remember put~in put~up note~down write~down upload host submit ' +
    'guardar guarda guárdate subir sube meter mete anotar anota apunta recordar recuerda almacenar',
  list:
    'list which all show see what~are what~do~we what~do~I what~have overview any so~far how~many where~are whose everyone who~has who~can who~else ' +
    'listar lista cuáles qué~hay qué~tengo qué~tenemos qué~hemos dónde~están hay~alguna todas muestra enseña ver resumen hasta~ahora quiénes quién~tiene quién~puede quién~más',
  get:
    'get show see read open tell~me details look~at status how~is how~are how~did switched~on how~far how~much~left has~finished is~ready is~done is~it is~my what~does what~is when where why ' +
    'ver lee leer abre abrir muestra enseña dime detalles mira cómo~está cómo~va cómo~fue cómo~salió qué~pone qué~dice ya~está ya~terminó está~listo estado cuándo dónde cuánto~falta por~qué',
  change:
    'change update edit modify adjust fix correct rename replace move switch set tweak instead from~now~on should~be is~now use~other ' +
    'cambiar cambia actualizar actualiza editar edita modificar modifica ajustar ajusta corregir corrige arreglar arregla renombrar reemplazar mover mueve pon ponle en~vez~de en~lugar~de a~partir~de ahora~es que~solo',
  delete:
    'delete remove erase drop discard trash bin scrap wipe revoke kill withdraw get~rid throw~out throw~away take~out take~away clean~up no~longer not~any~more don’t~need can~go ' +
    'borrar borra eliminar elimina quitar quita suprimir suprime descartar descarta tirar tira revocar revoca anular anula limpiar papelera fuera~con ya~no no~hace~falta no~necesito deshacerme',
  disconnect:
    'disconnect unlink unhook detach shut~out lock~out sign~out cut~off no~longer ' +
    'desconectar desconecta desvincular desvincula desenganchar desengancha cortar~acceso ya~no~entre',
  cancel:
    'cancel stop abort halt interrupt quit don’t~go~on never~mind ' +
    'cancelar cancela detener detén parar para~de páralo interrumpir interrumpe no~sigas deja~de frenar olvida',
  pause:
    'pause disable mute silence turn~off switch~off for~now for~a~while stop~for stop~sending ' +
    'pausar pausa desactivar desactiva silenciar apagar apaga deja~de~avisar por~ahora un~tiempo un~rato',
  undo:
    'undo revert rollback roll~back go~back put~back take~back the~way~it~was was~better earlier~one messed~up made~a~mistake ' +
    'deshacer deshaz revertir revierte vuelve~atrás volver~atrás marcha~atrás como~estaba como~era como~antes mejor~antes estropear equivocar vuelva',
  restore:
    'restore undelete recover bring~back come~back get~back want~back by~mistake by~accident ' +
    'restaurar restaura recuperar recupera quiero~de~vuelta lo~quiero~otra~vez traer~de~vuelta sin~querer por~error',
  retry:
    'retry redo resume continue repeat resend rerun once~more again go~on try~again carry~on another~go ' +
    'reintentar reintenta repetir repite reanudar reanuda continuar continúa seguir que~siga otra~vez de~nuevo reenviar reenvía vuelve~a volver~a',
  render:
    'render fill personalize with~the~data with~the~name for~a~customer for~each for~every ' +
    'renderizar renderiza rellenar rellena personalizar personaliza le~queda con~los~datos con~el~nombre para~cada',
  preview:
    'preview look~like looks~on how~it~looks comes~out screenshot let~me~see simulate would~happen would~change before~you without~changing dry ' +
    'previsualizar previsualiza vista~previa cómo~se~ve cómo~queda captura pantallazo simular simula ensayar qué~pasaría qué~cambiaría sin~cambiar sin~tocar antes~de~que',
  check:
    'check validate lint verify valid problems errors mistakes wrong spam broken ' +
    'comprobar comprueba validar valida verificar verifica revisar revisa fallos errores problemas spam está~bien está~mal',
  test:
    'test try ping trial probe still~work still~connected can~you~still reachable answers ' +
    'probar prueba sigue~funcionando sigue~conectada todavía~puedes funciona responde',
  compare:
    'compare diff difference different not~the~same differ what~changed what~has~changed side~by~side ' +
    'comparar compara diferencia distinto diferente distingue qué~cambió qué~ha~cambiado lado~a~lado',
  generate:
    'generate come~up~with think~up write~for~me invent draft ideas suggest ' +
    'generar genera inventar invéntate inventa redactar redacta escríbeme ideas sugiere se~te~ocurre',
  export:
    'export download print safety~copy as~a~file as~a~document as~pdf to~pdf save~as copy~of~everything ' +
    'exportar exporta descargar descarga bajar bájame imprimir en~un~archivo en~pdf en~un~documento una~copia~de',
  import:
    'import migrate load transfer bring~here bring~over move~here move~over pick~up come~from ' +
    'importar importa migrar migra cargar carga traer trae tráete traspasar venimos~de sacar~de',
  connect:
    'connect link attach hook~up plug~in ' +
    'conectar conecta enlazar enlaza vincular vincula enganchar engancha meter~aquí',
  publish:
    'promote publish release deploy ship launch live go~live make~public customers~get customers~receive everybody~have everyone~gets ' +
    'promover promueve publicar publica desplegar despliega lanzar lanza que~los~clientes~reciban lo~reciban pasar~a~producción salir~al~público',
  protect:
    'protect freeze lock block require nobody~may nobody~should nobody~can approve~before sign~off~before ' +
    'proteger protege congelar congela bloquear bloquea exigir exige nadie~puede nadie~pueda aprobar~antes visto~bueno~antes',
  merge:
    'merge join combine fold unite bring~into ' +
    'fusionar fusiona unir une juntar junta combinar combina mezclar incorporar',
  score:
    'score grade evaluate judge quality any~good how~good ' +
    'puntuar puntúa calificar califica evaluar evalúa calidad vale~la~pena qué~tal es~bueno',
  rate:
    'rate performed viral winner views likes feedback did~well ' +
    'valorar valora viral ganador vistas reproducciones funcionó comentario fue~bien',
  resolve:
    'resolve settle decide which~wins believe ' +
    'resolver resuelve decidir decide gana hazle~caso quédate~con',
  run:
    'run execute sync~now push right~now start~now bring~over transfer copy~over copy~to ' +
    'ejecutar ejecuta sincroniza lanzar ahora~mismo pasa~a pasar~a copia~a',
  invite:
    'invite let~her~in let~him~in let~them~in let~work let~into give~access should~be~able~to add~to~the~team join~us ' +
    'invitar invita dar~acceso que~pueda que~también~pueda sumar~al~equipo',
  buy:
    'buy purchase order top~up refill ran~out more~credits ' +
    'comprar compra recargar recarga me~quedé~sin se~acabaron ponme~más',
  pay:
    'pay subscribe checkout sign~up start~paying ' +
    'pagar pago suscribir suscribirme contratar empezar~a~pagar',
} as const;

/** What it is done to. As verbs. */
export const OBJECTS = {
  template:
    'template email mail mailing newsletter message letter receipt plantilla correo boletín mensaje carta recibo',
  layout: 'layout design format kinds~of diseño formato tipos~de',
  version: 'version revision edition reworked how~often~changed versión revisión edición cuántas~veces',
  branch:
    'branch draft working~copy side~copy separate~copy experiment without~touching~live without~customers without~anyone ' +
    'rama borrador copia~de~trabajo copia~aparte copia~a~medias experimento sin~tocar sin~que~los~clientes sin~que~vea~nadie',
  environment:
    'environment staging production live approval sign-off reach~customers customers~see entorno producción aprobación visto~bueno llegar~a~los~clientes público',
  history:
    'history log past timeline ever earlier since~when historial registro pasado anteriores desde~cuándo de~siempre',
  batch:
    'batch bulk many several hundreds each every~one list~of in~one~go at~once lote masivo muchos varios cientos cada~uno lista~de de~una~vez a~la~vez',
  fixture:
    'fixture sample example test~data dummy~data pretend~customer fake~customer muestra ejemplo datos~de~prueba cliente~de~prueba cliente~de~mentira cliente~ficticio',
  bundle:
    'bundle backup safety~copy zip archive everything~in~one respaldo copia~de~seguridad todo~en~uno en~un~solo~archivo',
  ai: 'ai artificial robot model machine computer~write ia inteligencia modelo máquina',
  audit:
    'audit who~did who~was who~changed who~deleted who~touched somebody auditoría bitácora quién~fue quién~cambió quién~borró quién~tocó alguien',
  asset:
    'asset picture image photo logo icon font sound music foto imagen fuente música logotipo icono sonido',
  brand: 'brand colors color typeface look~and~feel marca colores color tipografía identidad',
  voice:
    'voice tone style~of~writing way~of~speaking we~speak we~talk voz tono estilo~de~escribir manera~de~hablar forma~de~hablar hablamos',
  video: 'video clip reel movie film spot vídeo película anuncio',
  hook: 'hook opener opening headline line caption catchy gancho titular apertura frase enganche enganchen',
  generation: 'generation batch~of set~of generación tanda lote~de',
  usage:
    'usage quota limit allowance remaining left how~many~more uso cuota límite restante quedan cuántas~más',
  store: 'store shop shopify tienda comercio',
  sheet: 'sheet spreadsheet google excel tab hoja planilla pestaña',
  column: 'column heading header columna encabezado cabecera',
  location: 'location warehouse ubicación almacén bodega',
  product:
    'product item article for~sale on~sale what~I~sell producto artículo mercancía a~la~venta lo~que~vendo',
  field: 'field attribute fill~in campo atributo que~rellenar',
  sync:
    'sync synchronize match matching keep~in~step shop~spreadsheet spreadsheet~shop store~sheet sheet~store nightly ' +
    'sincronización sincronizar sincroniza igualar igualadas tienda~hoja hoja~tienda',
  config:
    'config configuration schedule automatic by~itself nightly setting pairing configuración horario automático ajuste cada~noche parejas',
  run: 'run it~is~changing está~cambiando last~night last~time yesterday~sync ejecución anoche última~vez',
  changes: 'changes touched what~changed cambios tocaron qué~cambió',
  conflict:
    'conflict disagree dispute disputa mismatch clash contradict both~changed conflicto no~coinciden discrepancia se~contradicen ambos~cambiaron',
  stock: 'stock inventory quantity quantities existencias inventario cantidad',
  demo: 'demo fake pretend practice de~mentira ficticia práctica simulada',
  profile: 'profile my~name my~language myself perfil de~mí mi~nombre idioma',
  account:
    'account workspace business company organization about~us cuenta negocio empresa organización de~nosotros',
  member:
    'member teammate colleague employee user team staff people person sister brother partner miembro compañero colega empleado usuario equipo gente persona hermana hermano socio',
  key: 'key token password secret api clave token contraseña',
  ip: 'ip address only~from dirección solo~desde',
  app: 'app assistant chatbot chatgpt claude oauth aplicación asistente',
  plan: 'plan tier subscription bigger upgrade downgrade suscripción contratado grande',
  price:
    'price cost pricing how~much money precio coste costo tarifa cuánto~cuesta cuánto~vale cuánto~dinero',
  credit: 'credit extra pack package crédito extra paquete bono',
  invoice: 'invoice receipt bill factura recibo comprobante',
  portal: 'portal card payment~method stop~charging tarjeta método~de~pago deja~de~cobrar',
  billing: 'billing charge renew payment cobro cobrar cobran renueva renovar facturación pago',
  job: 'job task background busy progress working~on process trabajo tarea ocupado segundo~plano proceso haciendo',
  webhook:
    'webhook endpoint callback notify notice notification our~program our~server every~time cada~vez aviso avisar avisas notificar notificación nuestro~programa nuestro~servidor',
  delivery: 'delivery attempt arrive reached received entrega intento llegaron llegó recibió',
} as const;
