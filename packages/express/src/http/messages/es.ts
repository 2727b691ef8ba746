import type { Messages } from './de.js';

export const es: Messages = {
  'A sign-in works once. The Back button or a reload probably led you here. Please start a new sign-in.':
    'Un inicio de sesión sirve una vez. Probablemente el botón Atrás o una recarga le trajo aquí. Inicie sesión de nuevo.',
  'Allow access': 'Permitir el acceso',
  'Check again': 'Comprobar de nuevo',
  'Check now': 'Comprobar ahora',
  Continue: 'Continuar',
  'Continue to payment': 'Continuar al pago',
  'Email address': 'Correo electrónico',
  'Enter your email address': 'Introduzca su dirección de correo',
  'For your security, a sign-in has to be completed within a few minutes. Please try again.':
    'Por su seguridad, un inicio de sesión debe completarse en pocos minutos. Reinténtelo.',
  'Forms and scripts of this site use it. You can go on from the start page.':
    'La usan formularios y scripts de este sitio. Puede continuar desde la página de inicio.',
  'Get access': 'Obtener acceso',
  'Go back': 'Volver',
  'Go to the site': 'Ir al sitio',
  'Go to the start page': 'Ir a la página de inicio',
  'If you bought it with another account, switch to it. If you aren’t asked which one, sign out at the membership service first. Otherwise ask the site for an invitation.':
    'Si la compró con otra cuenta, cambie a ella. Si no se le pregunta cuál, cierre antes la sesión en el servicio de membresías. Si no, pida una invitación al sitio.',
  'If you have another account, switch to it. If you aren’t asked which one, sign out at the membership service first.':
    'Si tiene otra cuenta, cambie a ella. Si no se le pregunta cuál, cierre antes la sesión en el servicio de membresías.',
  'If you have just paid, try again in a moment. You need not pay again.':
    'Si acaba de pagar, reinténtelo en un momento. No tiene que pagar otra vez.',
  'If you have just paid, wait a moment and try again. If you bought this membership here, contact this site and quote its ID. If it belongs to another site, it does not include this page.':
    'Si acaba de pagar, espere un momento y reinténtelo. Si compró esta membresía aquí, póngase en contacto con este sitio e indique su ID. Si es de otro sitio, no incluye esta página.',
  'If your payment was declined, try again with another payment method.':
    'Si su pago fue rechazado, reinténtelo con otro método de pago.',
  'No invitation for this membership': 'No hay invitación para esta membresía',
  'Not confirmed yet': 'Aún sin confirmar',
  'Nothing has changed': 'No ha cambiado nada',
  'Nothing was charged.': 'No se ha cobrado nada.',
  'Nothing was ordered': 'No se ha pedido nada',
  'One moment, please': 'Un momento, por favor',
  'Payment cancelled': 'Pago cancelado',
  'Please sign in first': 'Inicie sesión primero',
  'Please try again in a moment.': 'Reinténtelo en un momento.',
  'Please try again later. The site owner can find the reason in the log.':
    'Reinténtelo más tarde. El propietario del sitio encontrará el motivo en el registro.',
  'Sign in': 'Iniciar sesión',
  'Sign in with the address of your order': 'Inicie sesión con la dirección de su pedido',
  'Sign in, then send the form again.': 'Inicie sesión y envíe el formulario de nuevo.',
  'Sign out': 'Cerrar sesión',
  'Sign out here, then sign in with that address. If you have paid, you need not pay again.':
    'Cierre la sesión aquí e iníciela después con esa dirección. Si ya ha pagado, no tiene que pagar otra vez.',
  'Sign-in could not be completed': 'No se pudo completar el inicio de sesión',
  'Sign-in is not available right now': 'El inicio de sesión no está disponible en este momento',
  'Sign-in took too long': 'El inicio de sesión tardó demasiado',
  'Signed out in this browser': 'Sesión cerrada en este navegador',
  'Switch account': 'Cambiar de cuenta',
  'Thank you, one moment': 'Gracias, un momento',
  'The chat is not available': 'El chat no está disponible',
  'The chat is not available right now': 'El chat no está disponible en este momento',
  'The chat of this community is not set up.': 'El chat de esta comunidad no está configurado.',
  'The membership is bound to the address that you enter. Sign in with that address afterwards to use it.':
    'La membresía queda vinculada a la dirección que introduzca. Después inicie sesión con esa dirección para usarla.',
  'The membership service asks you for it. Nothing else is shared.':
    'El servicio de membresías se lo pide. No se comparte nada más.',
  'The membership service could not be reached.': 'No se pudo contactar con el servicio de membresías.',
  'The membership service could not be reached. Nothing was charged.':
    'No se pudo contactar con el servicio de membresías. No se ha cobrado nada.',
  'The membership service rejected the order of this site. Nothing was charged.':
    'El servicio de membresías rechazó el pedido de este sitio. No se ha cobrado nada.',
  'The membership service rejected the request of this site.':
    'El servicio de membresías rechazó la solicitud de este sitio.',
  'The order could not be read. Go back and try again.':
    'No se pudo leer el pedido. Vuelva atrás y reinténtelo.',
  'The order did not come from a page of this site. Go to the site and try again.':
    'El pedido no vino de una página de este sitio. Vaya al sitio y reinténtelo.',
  'The sign-in service could not be reached. Please try again in a moment.':
    'No se pudo contactar con el servicio de inicio de sesión. Reinténtelo en un momento.',
  'The sign-in service rejected this sign-in. Please start a new one. If that fails too, the site owner can find the reason in the log.':
    'El servicio de inicio de sesión rechazó este inicio de sesión. Comience uno nuevo. Si tampoco funciona, el propietario del sitio encontrará el motivo en el registro.',
  'This address belongs to a sign-in that was completed before, or that started in another browser. You can continue.':
    'Esta dirección pertenece a un inicio de sesión que ya se completó o que empezó en otro navegador. Puede continuar.',
  'This address does not belong to a sign-in of this site. Please start a new sign-in.':
    'Esta dirección no pertenece a ningún inicio de sesión de este sitio. Inicie sesión de nuevo.',
  'This address is not a page': 'Esta dirección no es una página',
  'This is not an email address. Check it, for example name@example.com.':
    'Esto no es una dirección de correo. Compruébela, por ejemplo nombre@example.com.',
  'This needs your permission to see {data}.': 'Para esto se necesita su permiso para ver {data}.',
  'This page is for members': 'Esta página es para miembros',
  'This page needs your permission': 'Esta página necesita su permiso',
  'This plan cannot be bought right now': 'Este plan no se puede comprar en este momento',
  'This plan is not for sale': 'Este plan no está a la venta',
  'This sign-in has already been used': 'Este inicio de sesión ya se ha usado',
  'This sign-in was completed before. The Back button or a reload probably led you here. You can continue.':
    'Este inicio de sesión ya se completó. Probablemente el botón Atrás o una recarga le trajo aquí. Puede continuar.',
  'This site does not recognise your membership': 'Este sitio no reconoce su membresía',
  'This site does not sell this plan, or no longer does. Nothing was charged.':
    'Este sitio no vende este plan, o ya no lo vende. No se ha cobrado nada.',
  'Try again': 'Reintentar',
  'Try again shortly. If this stays, contact this site and quote the ID. You need not pay again.':
    'Reinténtelo en breve. Si sigue igual, póngase en contacto con este sitio e indique el ID. No tiene que pagar otra vez.',
  'You are already a member': 'Ya es miembro',
  'You are already signed in': 'Ya ha iniciado sesión',
  'You are no longer signed in, so nothing was saved.':
    'Ya no tiene la sesión iniciada, así que no se ha guardado nada.',
  'You are not signed in': 'No ha iniciado sesión',
  'You are signed out in this browser. The session may still be active for a few minutes.':
    'Se ha cerrado su sesión en este navegador. Puede seguir activa unos minutos.',
  'You declined access, so nothing more was shared with this site. You are still signed in.':
    'Ha rechazado el acceso, así que no se ha compartido nada más con este sitio. Su sesión sigue iniciada.',
  'You declined access, so nothing was shared with this site. You can sign in at any time.':
    'Ha rechazado el acceso, así que no se ha compartido nada con este sitio. Puede iniciar sesión cuando quiera.',
  'You do not need to do anything, and you need not pay again.': 'No tiene que hacer nada ni pagar otra vez.',
  'You get access as soon as the confirmation arrives. You need not pay again.':
    'Tendrá acceso en cuanto llegue la confirmación. No tiene que pagar otra vez.',
  'Your access cannot be checked at the moment. Please try again shortly.':
    'Su acceso no se puede comprobar en este momento. Reinténtelo en breve.',
  'Your account': 'Su cuenta',
  'Your account already has this membership. Nothing was charged.':
    'Su cuenta ya tiene esta membresía. No se ha cobrado nada.',
  'Your account has no email address, and a purchase needs one.':
    'Su cuenta no tiene dirección de correo y una compra la necesita.',
  'Your browser did not send the cookie of this sign-in. It may block cookies, you may have started in another browser, or more than ten minutes may have passed. Please try again.':
    'Su navegador no envió la cookie de este inicio de sesión. Puede que bloquee las cookies, que usted empezara en otro navegador o que hayan pasado más de diez minutos. Reinténtelo.',
  'Your membership exists, but this site does not recognise it yet:':
    'Su membresía existe, pero este sitio aún no la reconoce:',
  'Your membership is active. Please ask the site, or try again later.':
    'Su membresía está activa. Pregunte al sitio o reinténtelo más tarde.',
  'Your membership is bound to the email address that you entered for this order.':
    'Su membresía está vinculada a la dirección de correo que introdujo para este pedido.',
  'Your membership is not affected. The site owner can find the reason in the log.':
    'Su membresía no se ve afectada. El propietario del sitio encontrará el motivo en el registro.',
  'Your membership was not bought on this site with this account, so it has no invitation to the chat.':
    'Su membresía no se compró en este sitio con esta cuenta, así que no tiene invitación al chat.',
  'Your payment has not been confirmed yet. Some payments take a few minutes.':
    'Su pago aún no se ha confirmado. Algunos pagos tardan unos minutos.',
  'Your payment has not been processed yet.': 'Su pago aún no se ha procesado.',
  'Your payment is being confirmed. This page continues by itself, usually within seconds.':
    'Su pago se está confirmando. Esta página continúa sola, normalmente en unos segundos.',
  'the products that you sell': 'los productos que vende',
  'your memberships': 'sus membresías',
  '{account} has a membership that is not known here:':
    '{account} tiene una membresía que aquí no se conoce:',
  '{account} has an active membership, but not one that includes this page.':
    '{account} tiene una membresía activa, pero ninguna que incluya esta página.',
  '{account} has no active membership here.': '{account} no tiene ninguna membresía activa aquí.',
};
