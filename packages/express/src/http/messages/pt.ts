import type { Messages } from './de.js';

export const pt: Messages = {
  'A sign-in works once. The Back button or a reload probably led you here. Please start a new sign-in.':
    'Uma entrada funciona uma vez. Provavelmente o botão Voltar ou uma recarga trouxe você aqui. Comece uma nova entrada.',
  'Allow access': 'Permitir o acesso',
  'Check again': 'Verificar de novo',
  'Check now': 'Verificar agora',
  Continue: 'Continuar',
  'Continue to payment': 'Continuar para o pagamento',
  'Email address': 'Endereço de e-mail',
  'Enter your email address': 'Digite o seu endereço de e-mail',
  'For your security, a sign-in has to be completed within a few minutes. Please try again.':
    'Para a sua segurança, uma entrada precisa ser concluída em poucos minutos. Tente de novo.',
  'Forms and scripts of this site use it. You can go on from the start page.':
    'Formulários e scripts deste site o usam. Você pode continuar pela página inicial.',
  'Get access': 'Obter acesso',
  'Go back': 'Voltar',
  'Go to the site': 'Ir para o site',
  'Go to the start page': 'Ir para a página inicial',
  'If you bought it with another account, switch to it. If you aren’t asked which one, sign out at the membership service first. Otherwise ask the site for an invitation.':
    'Se você a comprou com outra conta, mude para ela. Se não perguntarem qual, saia primeiro do serviço de assinaturas. Senão, peça um convite ao site.',
  'If you have another account, switch to it. If you aren’t asked which one, sign out at the membership service first.':
    'Se você tem outra conta, mude para ela. Se não perguntarem qual, saia primeiro do serviço de assinaturas.',
  'If you have just paid, try again in a moment. You need not pay again.':
    'Se você acabou de pagar, tente de novo daqui a pouco. Não é preciso pagar outra vez.',
  'If you have just paid, wait a moment and try again. If you bought this membership here, contact this site and quote its ID. If it belongs to another site, it does not include this page.':
    'Se você acabou de pagar, espere um momento e tente de novo. Se comprou esta assinatura aqui, fale com este site e informe o ID dela. Se ela é de outro site, não inclui esta página.',
  'If your payment was declined, try again with another payment method.':
    'Se o seu pagamento foi recusado, tente de novo com outra forma de pagamento.',
  'No invitation for this membership': 'Nenhum convite para esta assinatura',
  'Not confirmed yet': 'Ainda não confirmado',
  'Nothing has changed': 'Nada mudou',
  'Nothing was charged.': 'Nada foi cobrado.',
  'Nothing was ordered': 'Nada foi pedido',
  'One moment, please': 'Um momento, por favor',
  'Payment cancelled': 'Pagamento cancelado',
  'Please sign in first': 'Entre primeiro',
  'Please try again in a moment.': 'Tente de novo daqui a pouco.',
  'Please try again later. The site owner can find the reason in the log.':
    'Tente de novo mais tarde. O dono do site encontra o motivo no log.',
  'Sign in': 'Entrar',
  'Sign in with the address of your order': 'Entre com o endereço do seu pedido',
  'Sign in, then send the form again.': 'Entre e envie o formulário de novo.',
  'Sign out': 'Sair',
  'Sign out here, then sign in with that address. If you have paid, you need not pay again.':
    'Saia aqui e depois entre com esse endereço. Se você já pagou, não é preciso pagar outra vez.',
  'Sign-in could not be completed': 'Não foi possível concluir a entrada',
  'Sign-in is not available right now': 'A entrada não está disponível no momento',
  'Sign-in took too long': 'A entrada demorou demais',
  'Signed out in this browser': 'Você saiu neste navegador',
  'Switch account': 'Trocar de conta',
  'Thank you, one moment': 'Obrigado, um momento',
  'The chat is not available': 'O chat não está disponível',
  'The chat is not available right now': 'O chat não está disponível no momento',
  'The chat of this community is not set up.': 'O chat desta comunidade não está configurado.',
  'The membership is bound to the address that you enter. Sign in with that address afterwards to use it.':
    'A assinatura fica vinculada ao endereço que você digitar. Depois, entre com esse endereço para usá-la.',
  'The membership service asks you for it. Nothing else is shared.':
    'O serviço de assinaturas pede isso a você. Nada mais é compartilhado.',
  'The membership service could not be reached.': 'Não foi possível acessar o serviço de assinaturas.',
  'The membership service could not be reached. Nothing was charged.':
    'Não foi possível acessar o serviço de assinaturas. Nada foi cobrado.',
  'The membership service rejected the order of this site. Nothing was charged.':
    'O serviço de assinaturas recusou o pedido deste site. Nada foi cobrado.',
  'The membership service rejected the request of this site.':
    'O serviço de assinaturas recusou a solicitação deste site.',
  'The order could not be read. Go back and try again.':
    'Não foi possível ler o pedido. Volte e tente de novo.',
  'The order did not come from a page of this site. Go to the site and try again.':
    'O pedido não veio de uma página deste site. Vá para o site e tente de novo.',
  'The sign-in service could not be reached. Please try again in a moment.':
    'Não foi possível acessar o serviço de entrada. Tente de novo daqui a pouco.',
  'The sign-in service rejected this sign-in. Please start a new one. If that fails too, the site owner can find the reason in the log.':
    'O serviço de entrada recusou esta entrada. Comece uma nova. Se também não funcionar, o dono do site encontra o motivo no log.',
  'This address belongs to a sign-in that was completed before, or that started in another browser. You can continue.':
    'Este endereço pertence a uma entrada que já foi concluída ou que começou em outro navegador. Você pode continuar.',
  'This address does not belong to a sign-in of this site. Please start a new sign-in.':
    'Este endereço não pertence a nenhuma entrada deste site. Comece uma nova entrada.',
  'This address is not a page': 'Este endereço não é uma página',
  'This is not an email address. Check it, for example name@example.com.':
    'Isto não é um endereço de e-mail. Confira, por exemplo nome@example.com.',
  'This needs your permission to see {data}.': 'Isto precisa da sua permissão para ver {data}.',
  'This page is for members': 'Esta página é para membros',
  'This page needs your permission': 'Esta página precisa da sua permissão',
  'This plan cannot be bought right now': 'Este plano não pode ser comprado no momento',
  'This plan is not for sale': 'Este plano não está à venda',
  'This sign-in has already been used': 'Esta entrada já foi usada',
  'This sign-in was completed before. The Back button or a reload probably led you here. You can continue.':
    'Esta entrada já foi concluída. Provavelmente o botão Voltar ou uma recarga trouxe você aqui. Você pode continuar.',
  'This site does not recognise your membership': 'Este site não reconhece a sua assinatura',
  'This site does not sell this plan, or no longer does. Nothing was charged.':
    'Este site não vende este plano, ou não o vende mais. Nada foi cobrado.',
  'Try again': 'Tentar de novo',
  'Try again shortly. If this stays, contact this site and quote the ID. You need not pay again.':
    'Tente de novo daqui a pouco. Se continuar, fale com este site e informe o ID. Não é preciso pagar outra vez.',
  'You are already a member': 'Você já é membro',
  'You are already signed in': 'Você já entrou',
  'You are no longer signed in, so nothing was saved.': 'Você não está mais conectado, então nada foi salvo.',
  'You are not signed in': 'Você não entrou',
  'You are signed out in this browser. The session may still be active for a few minutes.':
    'Você saiu neste navegador. A sessão ainda pode ficar ativa por alguns minutos.',
  'You declined access, so nothing more was shared with this site. You are still signed in.':
    'Você recusou o acesso, então nada mais foi compartilhado com este site. Você continua conectado.',
  'You declined access, so nothing was shared with this site. You can sign in at any time.':
    'Você recusou o acesso, então nada foi compartilhado com este site. Você pode entrar quando quiser.',
  'You do not need to do anything, and you need not pay again.':
    'Você não precisa fazer nada nem pagar outra vez.',
  'You get access as soon as the confirmation arrives. You need not pay again.':
    'Você terá acesso assim que a confirmação chegar. Não é preciso pagar outra vez.',
  'Your access cannot be checked at the moment. Please try again shortly.':
    'O seu acesso não pode ser verificado no momento. Tente de novo daqui a pouco.',
  'Your account': 'Sua conta',
  'Your account already has this membership. Nothing was charged.':
    'Sua conta já tem esta assinatura. Nada foi cobrado.',
  'Your account has no email address, and a purchase needs one.':
    'Sua conta não tem endereço de e-mail, e uma compra precisa de um.',
  'Your browser did not send the cookie of this sign-in. It may block cookies, you may have started in another browser, or more than ten minutes may have passed. Please try again.':
    'Seu navegador não enviou o cookie desta entrada. Ele pode bloquear cookies, você pode ter começado em outro navegador ou mais de dez minutos podem ter passado. Tente de novo.',
  'Your membership exists, but this site does not recognise it yet:':
    'Sua assinatura existe, mas este site ainda não a reconhece:',
  'Your membership is active. Please ask the site, or try again later.':
    'Sua assinatura está ativa. Pergunte ao site ou tente de novo mais tarde.',
  'Your membership is bound to the email address that you entered for this order.':
    'Sua assinatura está vinculada ao endereço de e-mail que você digitou para este pedido.',
  'Your membership is not affected. The site owner can find the reason in the log.':
    'Sua assinatura não é afetada. O dono do site encontra o motivo no log.',
  'Your membership was not bought on this site with this account, so it has no invitation to the chat.':
    'Sua assinatura não foi comprada neste site com esta conta, então não tem convite para o chat.',
  'Your payment has not been confirmed yet. Some payments take a few minutes.':
    'Seu pagamento ainda não foi confirmado. Alguns pagamentos levam alguns minutos.',
  'Your payment has not been processed yet.': 'Seu pagamento ainda não foi processado.',
  'Your payment is being confirmed. This page continues by itself, usually within seconds.':
    'Seu pagamento está sendo confirmado. Esta página continua sozinha, normalmente em segundos.',
  'the products that you sell': 'os produtos que você vende',
  'your memberships': 'suas assinaturas',
  '{account} has a membership that is not known here:':
    '{account} tem uma assinatura que não é conhecida aqui:',
  '{account} has an active membership, but not one that includes this page.':
    '{account} tem uma assinatura ativa, mas nenhuma que inclua esta página.',
  '{account} has no active membership here.': '{account} não tem nenhuma assinatura ativa aqui.',
};
