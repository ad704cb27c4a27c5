// Puts the view into the page that the address asks for, and the focus where it is of use.

const VIEWS = { overview, rows: rowsView, scenario: scenarioView };

const TITLES = { overview: 'Conformance report', rows: 'Scenarios', scenario: 'Scenario' };

function start() {
  startTheme();
  const data = report(carried('index'));
  const main = document.getElementById('main');
  let first = true;
  const show = () => {
    const wanted = route(location.hash);
    const view = append(h('div'), [VIEWS[wanted.view](data, wanted)].flat());
    main.replaceChildren(...view.childNodes);
    document.title = `${wanted.name ? visible(wanted.name) : TITLES[wanted.view]} · Portcullis`;
    for (const link of document.querySelectorAll('[data-nav]')) {
      if (link.dataset.nav === wanted.view) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    if (!first) settle(main, data, wanted);
    first = false;
  };
  addEventListener('hashchange', show);
  show();
}

/** Back in the list the focus is on the row that was open; elsewhere it is on the heading. */
function settle(main, data, wanted) {
  const opened = wanted.view === 'rows' && listed.opened && data.byName.get(listed.opened);
  const link = opened && main.querySelector(`[data-row="${opened.number}"]`);
  if (link) {
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: 'center' });
  } else {
    scrollTo(0, 0);
    main.querySelector('h1')?.focus({ preventScroll: true });
  }
}

start();
