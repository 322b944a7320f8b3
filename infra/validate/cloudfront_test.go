package validate

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"turnout/infra/validate/templatetest"
	"turnout/internal/site"
)

const templateFile = "../../template.yaml"

// template is the part of template.yaml that these tests read.
type template struct {
	Resources struct {
		Distribution struct {
			Properties struct{ DistributionConfig distribution }
		}
		SiteCache, EventPageCache     cachePolicy
		SiteHeaders, EventPageHeaders headersPolicy
	}
}

type cachePolicy struct {
	Properties struct {
		CachePolicyConfig struct {
			MinTTL, DefaultTTL, MaxTTL               int
			ParametersInCacheKeyAndForwardedToOrigin struct{ CookiesConfig, HeadersConfig, QueryStringsConfig map[string]any }
		}
	}
}

type distribution struct {
	DefaultCacheBehavior behaviour
	CacheBehaviors       []behaviour
	CustomErrorResponses []map[string]int
	Logging              any
	HttpVersion          string
	IPV6Enabled          bool
}

type behaviour struct {
	PathPattern, TargetOriginId, ViewerProtocolPolicy             string
	CachePolicyId, OriginRequestPolicyId, ResponseHeadersPolicyId string
	AllowedMethods                                                []string
	FunctionAssociations                                          []map[string]string
	Compress                                                      bool
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

func readTemplate(t *testing.T) (tpl template) {
	t.Helper()
	templatetest.Read(t, templateFile, &tpl)
	return tpl
}

// headers returns the headers that a policy of CloudFront sends. All but one replace those of the origin.
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
	return slices.SortedFunc(slices.Values(headers), func(a, b site.Header) int { return strings.Compare(a.Name, b.Name) })
}

// TestCloudFrontSendsTheHeaders: a page of an event keeps the policy of its own build, which allows its
// styles, behind a distribution of any other.
func TestCloudFrontSendsTheHeaders(t *testing.T) {
	resources := readTemplate(t).Resources
	if got, want := resources.SiteHeaders.headers(t, ""), sorted(site.SecurityHeaders); !slices.Equal(got, want) {
		t.Errorf("site: %v, want %v", got, want)
	}
	got := resources.EventPageHeaders.headers(t, "ContentSecurityPolicy")
	if want := sorted(append(slices.Clone(site.SecurityHeaders), site.Header{Name: "X-Robots-Tag", Value: "noindex"})); !slices.Equal(got, want) {
		t.Errorf("pages of events: %v, want %v", got, want)
	}
}

// TestCloudFrontSendsEachPathToItsOrigin: the API uncached, with all that the client
// sends; the site and the pages of events cached as their Cache-Control says.
func TestCloudFrontSendsEachPathToItsOrigin(t *testing.T) {
	const cachingDisabled, allViewerExceptHost = "4135ea2d-6df8-44a3-9df3-4b5a84be39ad", "b689b0a8-53d0-40ab-baf2-68738e2966ac"
	api := behaviour{
		TargetOriginId: "api", ViewerProtocolPolicy: "https-only",
		CachePolicyId: cachingDisabled, OriginRequestPolicyId: allViewerExceptHost, ResponseHeadersPolicyId: "SiteHeaders",
		AllowedMethods: []string{"GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE"},
	}
	below, root := api, api
	below.PathPattern, root.PathPattern = "/api/*", "/api"
	pages := behaviour{
		PathPattern: site.EventPages + "?*", TargetOriginId: "api", ViewerProtocolPolicy: "redirect-to-https", Compress: true,
		CachePolicyId: "EventPageCache", ResponseHeadersPolicyId: "EventPageHeaders", AllowedMethods: []string{"GET", "HEAD"},
		FunctionAssociations: []map[string]string{{"EventType": "viewer-request", "FunctionARN": "EventPageRequest.FunctionMetadata.FunctionARN"}},
	}
	files := behaviour{
		TargetOriginId: "site", ViewerProtocolPolicy: "redirect-to-https", Compress: true,
		CachePolicyId: "SiteCache", ResponseHeadersPolicyId: "SiteHeaders", AllowedMethods: []string{"GET", "HEAD"},
		FunctionAssociations: []map[string]string{{"EventType": "viewer-request", "FunctionARN": "SiteFallback.FunctionMetadata.FunctionARN"}},
	}
	resources := readTemplate(t).Resources
	config := resources.Distribution.Properties.DistributionConfig
	if want := []behaviour{below, root, pages}; !reflect.DeepEqual(config.CacheBehaviors, want) {
		t.Errorf("behaviours %+v,\nwant %+v", config.CacheBehaviors, want)
	}
	if !reflect.DeepEqual(config.DefaultCacheBehavior, files) {
		t.Errorf("default behaviour %+v,\nwant %+v", config.DefaultCacheBehavior, files)
	}
	for policy, key := range map[*cachePolicy]string{
		&resources.SiteCache: "{map[CookieBehavior:none] map[HeaderBehavior:none] map[QueryStringBehavior:none]}",
		// The parameter is that of components/calendar-links.tsx.
		&resources.EventPageCache: "{map[CookieBehavior:none] map[HeaderBehavior:whitelist Headers:[" + site.OriginHeader + " " +
			site.LanguageHeader + "]] map[QueryStringBehavior:whitelist QueryStrings:[cancelled]]}",
	} {
		cache := policy.Properties.CachePolicyConfig
		if cache.MinTTL != 0 || cache.DefaultTTL != 0 || cache.MaxTTL < 60 {
			t.Errorf("the cache overrules its origin: %+v", cache)
		}
		if got := fmt.Sprint(cache.ParametersInCacheKeyAndForwardedToOrigin); got != key {
			t.Errorf("the cache's key: %s, want %s", got, key)
		}
	}
}

// TestCloudFrontCachesNoErrors: nor does it replace an answer of the API by a page, or log requests.
func TestCloudFrontCachesNoErrors(t *testing.T) {
	config := readTemplate(t).Resources.Distribution.Properties.DistributionConfig
	if config.HttpVersion != "http2and3" || !config.IPV6Enabled || config.Logging != nil {
		t.Errorf("%s, IPv6 %t, logging %v", config.HttpVersion, config.IPV6Enabled, config.Logging)
	}
	var want []map[string]int
	for _, code := range []int{404, 405, 414, 500, 502, 503, 504} {
		want = append(want, map[string]int{"ErrorCode": code, "ErrorCachingMinTTL": 0})
	}
	if got := config.CustomErrorResponses; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
