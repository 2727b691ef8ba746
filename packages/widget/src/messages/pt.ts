import type { Messages } from './en.js';
import { registerMessages } from './registry.js';

/** Portuguese. Importing this file registers it. */
export const pt: Messages = {
  locale: 'pt',

  signIn: 'Entrar',
  signOut: 'Sair',
  cancel: 'Cancelar',
  tryAgain: 'Tentar de novo',
  signInAgain: 'Entrar de novo',
  dismiss: 'Fechar',
  showWindow: 'Mostrar a janela',

  opening: 'Abrindo a janela de entrada…',
  waiting: 'Continue na janela de entrada.',
  exchanging: 'Concluindo a entrada…',
  expired: 'Sua sessão terminou. Entre de novo para continuar.',

  signedIn: 'Você entrou',
  signedInAs: (name) => `Você entrou como ${name}`,
  account: 'Sua conta',
  noMemberships: 'Nenhuma assinatura ativa',
  manageAccount: 'Gerenciar conta',
  switchAccount: 'Trocar de conta',
  until: (date) => `até ${date}`,
  unlimited: 'Vitalícia',
  kinds: {
    community: 'Assinatura da comunidade',
    digital_product: 'Produto digital',
    clipping_campaign: 'Campanha de clipes',
    agency: 'Agência',
  },
  otherKind: 'Assinatura',

  stillSignedIn: 'Você ainda está conectado.',
  errorCode: (code) => `Código do erro: ${code}`,
  failures: {
    popup_blocked: 'Seu navegador bloqueou a janela de entrada. Permita pop-ups neste site e tente de novo.',
    popup_closed: 'A janela de entrada foi fechada antes do fim.',
    opener_severed: 'A janela de entrada não consegue responder a esta página. Avise o dono do site.',
    origin_refused: 'Este site não pode receber sua entrada. Avise o dono dele.',
    state_mismatch: 'Esta entrada expirou. Tente de novo.',
    access_denied: 'Você recusou; nada foi compartilhado com este site.',
    code_expired: 'Esta entrada demorou demais e expirou. Tente de novo.',
    network: 'Sem conexão. Verifique se você está on-line e tente de novo.',
    script_missing: 'Uma parte desta página não carregou. Recarregue a página ou atualize seu navegador.',
    service_error: 'O serviço de entrada está com um problema. Tente de novo daqui a pouco.',
    cookies_blocked:
      'Seu navegador bloqueia os cookies deste site. Permita cookies neste site e tente de novo.',
    insecure_context: 'A entrada só funciona em páginas seguras (https). Avise o dono do site.',
    misconfigured: 'A entrada não está configurada corretamente aqui. Avise o dono do site.',
  },

  gate: {
    loading: 'Consultando sua assinatura…',
    'signed-out': 'Esta parte é para membros. Entre para vê-la.',
    locked: 'Sua assinatura não inclui isto.',
    none: 'Esta parte é para membros. Esta conta não tem nenhuma assinatura ativa.',
    error: 'Não foi possível consultar sua assinatura; esta parte fica fechada por enquanto.',
  },

  plans: {
    join: 'Assinar',
    buy: 'Comprar',
    continue: 'Continuar',
    open: 'Abrir',
    yourPlan: 'Seu plano',
    loading: 'Carregando os planos…',
    empty: 'Nenhum plano está disponível no momento.',
    opening: 'Abrindo o pagamento…',

    failures: {
      plan_unknown: 'Este plano não está mais disponível. Nada foi cobrado.',
      already_member: 'Você já tem esta assinatura. Nada foi cobrado de novo.',
      already_paid:
        'Seu pagamento chegou e sua assinatura estará pronta em breve. Não é preciso pagar de novo.',
      checkout_refused:
        'Este plano não pode ser comprado no momento. Nada foi cobrado. Avise o dono do site.',
      service_unavailable:
        'O serviço de pagamento não responde. Nada foi cobrado. Tente de novo daqui a pouco.',
      sign_in_required: 'Você não está mais conectado. Entre de novo para continuar.',
      plans_unavailable: 'Não foi possível carregar os planos. Tente de novo daqui a pouco.',
      network: 'Sem conexão. Nada foi cobrado. Verifique se você está on-line e tente de novo.',
      misconfigured: 'A compra não está configurada corretamente aqui. Avise o dono do site.',
    },
  },
};

registerMessages(pt);
