import type { ComponentChildren, VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { currentLanguage, t, textDirection } from '../../../platform/language/language.js';
import { KeyIcon } from '../parts/icons.js';
import { LanguageMenu } from '../parts/language-menu.js';
import { safeLogoUrl } from '../parts/picture.js';
import { AddedText, ServiceContext, Time } from '../parts/values.js';
import { accentFilePath } from '../styles/accent.js';
import { PAGE_STYLESHEET, UI_FONT } from './page-assets.js';
import { pageScript } from './page-script.js';
import type { Page, Site, SiteBanner } from './send-page.js';

export interface DocumentProps {
  /** Title in the browser tab. Unique among the pages. */
  title: string;
  /**
   * `card`: one centred card that fits a popup. `wide`: a header above one column. `area`: a header with its own
   * navigation above `<main id="content">`. `reference`: a header above a wide `<main id="content">`.
   */
  layout: 'card' | 'wide' | 'area' | 'reference';
  /** Root-relative paths of the scripts that the page loads, in this order. */
  scripts?: readonly string[];
  /** Root-relative paths of the module scripts that the page loads. */
  modules?: readonly string[];
  /**
   * True to load the page script, for forms that decide something, copy buttons and local times.
   *
   * @default false for a `card`, otherwise true
   */
  loadsPageScript?: boolean;
  /** Root-relative path of a stylesheet that is loaded before the service's own. */
  stylesheet?: string;
  /** Accent of the page's brand: `#rrggbb`. Default: the accent of the service. */
  accent?: string | null | undefined;
  /** Words before the service's name at the foot of a `card`. */
  footer?: string | undefined;
  /** http or https URL that the browser loads by itself. */
  goesOnTo?: string;
  /** Seconds until the browser loads it. Default: at once. */
  goesOnAfter?: number;
  /** True if the page shows the site's reference header. */
  isReference?: boolean;
  headerEnd?: ComponentChildren;
  headerNav?: ComponentChildren;
  children: ComponentChildren;
}

const FAVICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%230b7a69' stroke-width='2.4' stroke-linecap='round' stroke-linejoin='round'%3E%3Ccircle cx='8' cy='16' r='4.5'/%3E%3Cpath d='m11.2 12.8 8.3-8.3M15.5 8.5l3 3'/%3E%3C/svg%3E";

/** Characters that change the text direction. The title of a tab has no markup that could isolate them. */
const DIRECTION_OVERRIDES = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

export function renderDocument(props: DocumentProps): Page {
  const { loadsPageScript = props.layout !== 'card' } = props;
  const page = (site: Site) => {
    const document = (
      <ServiceContext.Provider value={{ serviceName: site.brand.name }}>
        <Document {...props} loadsPageScript={loadsPageScript} site={site} />
      </ServiceContext.Provider>
    );
    return `<!doctype html>${render(document)}`;
  };
  return Object.assign(page, { loadsPageScript });
}

function Document(props: DocumentProps & { site: Site }) {
  const { filesOrigin = '' } = props.site;
  const header = props.isReference === true ? props.site.referenceHeader : undefined;
  const accentPath = accentFilePath(props.accent ?? props.site.brand.accent, 'css');
  const { language } = currentLanguage();
  const dir = textDirection() === 'rtl' ? 'rtl' : undefined;
  return (
    <html lang={language} dir={dir}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        {props.goesOnTo !== undefined && (
          <meta
            http-equiv="refresh"
            content={`${props.goesOnAfter ?? 0};url=${new URL(props.goesOnTo).href}`}
          />
        )}
        <title>{`${props.title.replace(DIRECTION_OVERRIDES, '')} · ${props.site.brand.name.replace(DIRECTION_OVERRIDES, '')}`}</title>
        <link rel="icon" href={FAVICON} />
        {[header?.stylesheet, props.stylesheet].map(
          (href) => href !== undefined && <link key={href} rel="stylesheet" href={href} />,
        )}
        <link
          rel="preload"
          href={filesOrigin + UI_FONT.path}
          as="font"
          type="font/woff2"
          crossorigin="anonymous"
        />
        <link rel="stylesheet" href={filesOrigin + PAGE_STYLESHEET.path} />
        {accentPath !== undefined && <link rel="stylesheet" href={filesOrigin + accentPath} />}
        {props.loadsPageScript === true && <script src={pageScript(language).path} defer />}
        {props.scripts?.map((script) => (
          <script key={script} src={script} defer />
        ))}
        {props.modules?.map((script) => (
          <script key={script} src={script} type="module" />
        ))}
      </head>
      <body class={props.layout === 'wide' ? undefined : `layout-${props.layout}`}>
        {(props.layout === 'area' || props.layout === 'reference') && (
          <a class="skip-link" href="#content">
            {t('Skip to content')}
          </a>
        )}
        {props.site.banner !== undefined && <Banner banner={props.site.banner} />}
        {props.layout !== 'card' && (
          <header class="site-header">
            <div class="site-header-inner">
              <a class="brand" href={props.site.homePath}>
                <ServiceBrand site={props.site} />
              </a>
              {props.headerEnd}
              {header?.end}
            </div>
            {props.headerNav}
            {header?.nav}
          </header>
        )}
        {props.children}
        {props.layout === 'card' && (
          <footer class="card-footer" dir={textDirection()}>
            {props.footer !== undefined && <span>{props.footer}</span>}
            <span class="brand">
              <ServiceBrand site={props.site} />
            </span>
            {props.site.hasLanguages === true && <LanguageMenu />}
          </footer>
        )}
        {props.layout !== 'card' && props.site.hasLanguages === true && (
          <footer class="page-footer">
            <LanguageMenu />
          </footer>
        )}
      </body>
    </html>
  );
}

function Banner({ banner }: { banner: SiteBanner }) {
  return (
    <aside class="ribbon" aria-label={t(banner.label)}>
      <strong class="ribbon-badge">
        <AddedText text={banner.badge} />
      </strong>
      <span>
        <AddedText text={banner.text} />
      </span>
      {banner.time !== undefined && (
        <span class="ribbon-time" id="service-time" data-live>
          <Time at={banner.time} isUtc />
        </span>
      )}
    </aside>
  );
}

function ServiceBrand({ site: { brand } }: { site: Site }) {
  const logoUrl = safeLogoUrl(brand.logoUrl);
  return (
    <>
      {logoUrl === undefined ? (
        <KeyIcon />
      ) : (
        <img class="brand-logo" src={logoUrl} alt="" referrerpolicy="no-referrer" />
      )}
      <bdi>{brand.name}</bdi>
    </>
  );
}

/** Renders a part of a page as HTML, to insert it into other HTML. */
export function renderPart(part: VNode): string {
  return render(part);
}
