import { CONTROL_ROUTES } from '@latchkey/sandbox/routes';

export const scenarioName = CONTROL_ROUTES['POST /reset'].body.shape.scenario.meta({ placeholder: 'name' });
