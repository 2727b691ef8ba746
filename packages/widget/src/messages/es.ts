import type { Messages } from './en.js';
import { registerMessages } from './registry.js';

/** Spanish. Importing this file registers it. */
export const es: Messages = {
  locale: 'es',

  signIn: 'Iniciar sesión',
  signOut: 'Cerrar sesión',
  cancel: 'Cancelar',
  tryAgain: 'Reintentar',
  signInAgain: 'Iniciar sesión de nuevo',
  dismiss: 'Cerrar',
  showWindow: 'Mostrar la ventana',

  opening: 'Abriendo la ventana de inicio de sesión…',
  waiting: 'Continúe en la ventana de inicio de sesión.',
  exchanging: 'Terminando el inicio de sesión…',
  expired: 'Su sesión ha terminado. Inicie sesión de nuevo para continuar.',

  signedIn: 'Ha iniciado sesión',
  signedInAs: (name) => `Sesión iniciada como ${name}`,
  account: 'Su cuenta',
  noMemberships: 'Ninguna membresía activa',
  manageAccount: 'Administrar la cuenta',
  switchAccount: 'Cambiar de cuenta',
  until: (date) => `hasta el ${date}`,
  unlimited: 'De por vida',
  kinds: {
    community: 'Membresía de la comunidad',
    digital_product: 'Producto digital',
    clipping_campaign: 'Campaña de clips',
    agency: 'Agencia',
  },
  otherKind: 'Membresía',

  stillSignedIn: 'Su sesión sigue iniciada.',
  errorCode: (code) => `Código de error: ${code}`,
  failures: {
    popup_blocked:
      'Su navegador bloqueó la ventana de inicio de sesión. Permita las ventanas emergentes en este sitio y reintente.',
    popup_closed: 'La ventana de inicio de sesión se cerró antes de terminar.',
    opener_severed:
      'La ventana de inicio de sesión no puede responder a esta página. Avise al propietario del sitio.',
    origin_refused: 'Este sitio no está autorizado a recibir su inicio de sesión. Avise a su propietario.',
    state_mismatch: 'Este inicio de sesión ha caducado. Reinténtelo.',
    access_denied: 'Usted lo rechazó, así que no se compartió nada con este sitio.',
    code_expired: 'Este inicio de sesión tardó demasiado y ha caducado. Reinténtelo.',
    network: 'Sin conexión. Compruebe que está en línea y reintente.',
    script_missing:
      'Una parte de esta página no se cargó. Vuelva a cargar la página o actualice su navegador.',
    service_error: 'El servicio de inicio de sesión tiene un problema. Reinténtelo en un momento.',
    cookies_blocked:
      'Su navegador bloquea las cookies de este sitio. Permita las cookies en este sitio y reintente.',
    insecure_context:
      'El inicio de sesión solo funciona en páginas seguras (https). Avise al propietario del sitio.',
    misconfigured: 'El inicio de sesión no está bien configurado aquí. Avise al propietario del sitio.',
  },

  gate: {
    loading: 'Consultando su membresía…',
    'signed-out': 'Esta parte es para miembros. Inicie sesión para verla.',
    locked: 'Su membresía no incluye esto.',
    none: 'Esta parte es para miembros. Esta cuenta no tiene ninguna membresía activa.',
    error: 'No se pudo consultar su membresía; esta parte sigue cerrada por ahora.',
  },

  plans: {
    join: 'Unirse',
    buy: 'Comprar',
    continue: 'Continuar',
    open: 'Abrir',
    yourPlan: 'Su plan',
    loading: 'Cargando los planes…',
    empty: 'No hay planes disponibles en este momento.',
    opening: 'Abriendo el pago…',

    failures: {
      plan_unknown: 'Este plan ya no está disponible. No se le ha cobrado nada.',
      already_member: 'Usted ya tiene esta membresía. No se le ha cobrado de nuevo.',
      already_paid: 'Su pago ha llegado y su membresía estará lista en breve. No tiene que pagar otra vez.',
      checkout_refused:
        'Este plan no se puede comprar en este momento. No se le ha cobrado nada. Avise al propietario del sitio.',
      service_unavailable:
        'El servicio de pago no responde. No se le ha cobrado nada. Reinténtelo en un momento.',
      sign_in_required: 'Su sesión ya no está iniciada. Iníciela de nuevo para continuar.',
      plans_unavailable: 'No se pudieron cargar los planes. Reinténtelo en un momento.',
      network: 'Sin conexión. No se le ha cobrado nada. Compruebe que está en línea y reintente.',
      misconfigured: 'La compra no está bien configurada aquí. Avise al propietario del sitio.',
    },
  },
};

registerMessages(es);
