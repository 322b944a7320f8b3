package validate

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"turnout/infra/validate/templatetest"
	"turnout/internal/site"
	"turnout/internal/site/locale"
)

const templateFile = "../../template.yaml"

// TestEdgeKnowsLanguages: CloudFront's function that tells pages the visitor's language has all languages of the site.
// If it lacked a language, nobody would see an event page in that language.
func TestEdgeKnowsLanguages(t *testing.T) {
	template, err := os.ReadFile(templateFile)
	want := "var languages = ['" + strings.Join(locale.Languages(), "', '") + "'];"
	if err != nil || !strings.Contains(string(template), want) {
		t.Errorf("EventPageRequest in template.yaml has not %s %v", want, err)
	}
}

type headersPolicy struct {
	Properties struct {
		ResponseHeadersPolicyConfig struct {
			SecurityHeadersConfig map[string]map[string]any
			CustomHeadersConfig   struct {
				Items []struct {
					Header, Value string
					Override      bool
				}
			}
		}
	}
}

// headers returns the headers that a policy of CloudFront sends. They replace the origin's headers of the same names,
// except the headers in yields.
func (p headersPolicy) headers(t *testing.T, yields string) []site.Header {
	t.Helper()
	var list []site.Header
	for name, config := range p.Properties.ResponseHeadersPolicyConfig.SecurityHeadersConfig {
		if config["Override"] != (name != yields) {
			t.Errorf("%s: override %v", name, config["Override"])
		}
		maxAge := fmt.Sprintf("max-age=%.0f", config["AccessControlMaxAgeSec"])
		if config["IncludeSubdomains"] == true {
			maxAge += "; includeSubDomains"
		}
		header, known := map[string]site.Header{
			"ContentSecurityPolicy":   {Name: "Content-Security-Policy", Value: fmt.Sprint(config[name])},
			"ContentTypeOptions":      {Name: "X-Content-Type-Options", Value: "nosniff"},
			"FrameOptions":            {Name: "X-Frame-Options", Value: fmt.Sprint(config["FrameOption"])},
			"ReferrerPolicy":          {Name: "Referrer-Policy", Value: fmt.Sprint(config[name])},
			"StrictTransportSecurity": {Name: "Strict-Transport-Security", Value: maxAge},
		}[name]
		if !known {
			t.Errorf("unknown header %s", name)
		}
		list = append(list, header)
	}
	for _, item := range p.Properties.ResponseHeadersPolicyConfig.CustomHeadersConfig.Items {
		if !item.Override {
			t.Errorf("%s does not override", item.Header)
		}
		list = append(list, site.Header{Name: item.Header, Value: item.Value})
	}
	return sorted(list)
}

func sorted(headers []site.Header) []site.Header {
	byName := func(a, b site.Header) int { return strings.Compare(a.Name, b.Name) }
	return slices.SortedFunc(slices.Values(headers), byName)
}

// TestCloudFrontSendsTheHeaders: CloudFront sends the headers of the local server. An event page keeps its own
// Content-Security-Policy, which allows its inline styles, if the distribution is older or newer than the page.
func TestCloudFrontSendsTheHeaders(t *testing.T) {
	var template struct {
		Resources struct{ SiteHeaders, EventPageHeaders headersPolicy }
	}
	templatetest.Read(t, templateFile, &template)
	resources := template.Resources
	if got, want := resources.SiteHeaders.headers(t, ""), sorted(site.SecurityHeaders); !slices.Equal(got, want) {
		t.Errorf("site: %v, want %v", got, want)
	}
	got := resources.EventPageHeaders.headers(t, "ContentSecurityPolicy")
	noIndex := site.Header{Name: "X-Robots-Tag", Value: "noindex"}
	want := sorted(append(slices.Clone(site.SecurityHeaders), noIndex))
	if !slices.Equal(got, want) {
		t.Errorf("pages of events: %v, want %v", got, want)
	}
}

// TestCloudFrontServesPages: event pages have a behaviour of their own, whose cache depends on the headers that they
// read. values_test.py checks the rest of the distribution.
func TestCloudFrontServesPages(t *testing.T) {
	template, err := os.ReadFile(templateFile)
	for _, line := range []string{
		"- PathPattern: " + site.EventPages + "?*\n",
		"Headers: [" + site.OriginHeader + ", " + site.LanguageHeader + "]}\n",
	} {
		if err != nil || strings.Count(string(template), line) != 1 {
			t.Errorf("the template does not have %q once, %v", line, err)
		}
	}
}
