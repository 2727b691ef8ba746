// The floor's callback page: asks the service whether it may post the code to the origin in `state`.
const query = new URLSearchParams(location.search);
const state = query.get('state');
const origin = JSON.parse(atob(state.replaceAll('-', '+').replaceAll('_', '/'))).o;
history.replaceState(null, '', location.pathname);

fetch(`/oauth/client/oac_floor?widget_origin=${encodeURIComponent(origin)}`)
  .then((response) => response.json())
  .then(({ data }) => {
    if (data.widgetOriginAllowed === true) opener.postMessage({ code: query.get('code'), state }, origin);
  });
