// The floor's callback: asks whether the origin in `state` may have the code, and posts it there.
const query = new URLSearchParams(location.search);
const state = query.get('state');
const origin = JSON.parse(atob(state.replaceAll('-', '+').replaceAll('_', '/'))).o;
history.replaceState(null, '', location.pathname);

fetch(`/oauth/client/oac_floor?widget_origin=${encodeURIComponent(origin)}`)
  .then((response) => response.json())
  .then(({ data }) => {
    if (data.widgetOriginAllowed === true) opener.postMessage({ code: query.get('code'), state }, origin);
  });
