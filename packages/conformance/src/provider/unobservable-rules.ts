const DEVELOPER_AREA = 'it is about pages of the developer area, which are no part of the API';

/** Rules that no check can observe from outside, with the reason. */
export const UNOBSERVABLE_RULES: Readonly<Record<string, string>> = {
  'api-key.permissions-fixed': DEVELOPER_AREA,
  'api-key.selectable-permissions': DEVELOPER_AREA,
  'api-key.private-permission': DEVELOPER_AREA,
  'api-key.shown-once': DEVELOPER_AREA,
  'api-key.stored-as-hash': 'the database is not visible over HTTP',
  'api-key.status-server-failure': 'no request makes a correct service fail',
  'credentials.client-type-changeable': DEVELOPER_AREA,
  'provision.private': 'it is about whom the operator of the service vets',
  'webhook.registered-by-owner': DEVELOPER_AREA,
};
